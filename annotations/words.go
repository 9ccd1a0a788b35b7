package annotations

import (
	"regexp"
	"strings"
	"time"
)

var (
	namePattern      = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	memberPattern    = regexp.MustCompile(`^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$`)
	typeNamePattern  = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	errorWordPattern = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	integerPattern   = regexp.MustCompile(`^(?:0|-?[1-9][0-9]*)$`)
	numberPattern    = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)

	semverPattern = regexp.MustCompile(`^(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)` +
		`(?:-(?:` + prerelease + `)(?:\.(?:` + prerelease + `))*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`)
	dateSerialPattern    = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:\.(?:0|[1-9][0-9]*))?$`)
	serverVersionPattern = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,4})(?:\.(?:0|[1-9][0-9]{0,4})){1,2}$`)
)

// prerelease is an identifier behind the dash of a semantic version: a number without leading zeros, or a word.
const prerelease = `0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*`

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isName(text string) bool { return namePattern.MatchString(text) }

func isErrorWord(text string) bool { return errorWordPattern.MatchString(text) }

func isSemver(text string) bool { return semverPattern.MatchString(text) }

// isDateSerial accepts a date of the calendar, perhaps with a number behind a dot.
func isDateSerial(text string) bool {
	m := dateSerialPattern.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	_, err := time.Parse(time.DateOnly, m[1])
	return err == nil
}

func isServerVersion(text string) bool { return serverVersionPattern.MatchString(text) }

// versionHint says how a version is probably meant.
func versionHint(text string) string {
	plain := strings.TrimLeft(text, "vV=")
	for _, candidate := range []string{plain, plain + ".0", plain + ".0.0"} {
		if isSemver(candidate) {
			return "write " + candidate
		}
	}
	return "write a semantic version such as 1.4.0, or a date serial such as 2026-07-11.1"
}

// suggestName makes a name of something like one: max_requests of maxRequests; "" if there is nothing to make one of.
func suggestName(text string) string {
	if len(text) > 64 {
		return ""
	}
	var name strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z':
			if i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z' {
				name.WriteByte('_')
			}
			name.WriteByte(c - 'A' + 'a')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			name.WriteByte(c)
		default:
			name.WriteByte('_')
		}
	}
	suggestion := strings.Trim(name.String(), "_")
	if !isName(suggestion) {
		return ""
	}
	return suggestion
}

func errorWord(text string) string {
	return strings.ToUpper(suggestName(strings.ToLower(text)))
}
