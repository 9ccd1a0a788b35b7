package annotations

import (
	"strconv"
	"unicode"

	"github.com/redisgen/redisgen/internal/diag"
)

// The findings of this package: RG1xx, how a header is written.
var (
	UnknownTag = &diag.Kind{ID: "RG101", Name: "unknown-tag", Severity: diag.Error,
		Summary: "A header line begins with a tag that redisgen does not know, so what it says would be lost."}
	MisplacedTag = &diag.Kind{ID: "RG102", Name: "misplaced-tag", Severity: diag.Warning,
		Summary: "A tag of the header stands after the first statement, where nobody reads it."}
	HeaderTooLow = &diag.Kind{ID: "RG120", Name: "header-too-low", Severity: diag.Error,
		Summary: "All tags of the file stand after its first statement, so it has no header at all."}
	BadTimeout = &diag.Kind{ID: "RG121", Name: "bad-timeout", Severity: diag.Error,
		Summary: "The timeout of a call is a positive Go duration."}
	DuplicateTag = &diag.Kind{ID: "RG103", Name: "duplicate-tag", Severity: diag.Error,
		Summary: "A tag that a script has once at most is there twice, and only one of them can hold."}
	MissingOperand = &diag.Kind{ID: "RG104", Name: "missing-operand", Severity: diag.Error,
		Summary: "A tag ends before it says everything that it has to say."}
	UnexpectedText = &diag.Kind{ID: "RG105", Name: "unexpected-text", Severity: diag.Error,
		Summary: "There is text that can't stand here, often a description without the # before it."}
	BadName = &diag.Kind{ID: "RG106", Name: "bad-name", Severity: diag.Error,
		Summary: "Names are made of lower-case letters, digits and _, and error words of capitals, so that each becomes a Go name."}
	BadLiteral = &diag.Kind{ID: "RG107", Name: "bad-literal", Severity: diag.Error,
		Summary: "A literal is neither an integer nor a string in double quotes with the escapes of Go."}
	UnterminatedString = &diag.Kind{ID: "RG108", Name: "unterminated-string", Severity: diag.Error,
		Summary: "A string is not closed on the line that it begins on."}
	UnknownOption = &diag.Kind{ID: "RG109", Name: "unknown-option", Severity: diag.Error,
		Summary: "The tag has no option of this name, so what it says would be lost."}
	DuplicateOption = &diag.Kind{ID: "RG110", Name: "duplicate-option", Severity: diag.Error,
		Summary: "An option is there twice on one tag, and only one of them can hold."}
	BadOptionValue = &diag.Kind{ID: "RG111", Name: "bad-option-value", Severity: diag.Error,
		Summary: "The value of an option is missing, superfluous, or not of the form that the option has."}
	BadTemplate = &diag.Kind{ID: "RG112", Name: "bad-template", Severity: diag.Error,
		Summary: "A key template has a bad parameter, or braces that are not exactly one hash tag."}
	UnknownType = &diag.Kind{ID: "RG113", Name: "unknown-type", Severity: diag.Error,
		Summary: "There is no type of this name."}
	BadTypeParameter = &diag.Kind{ID: "RG114", Name: "bad-type-parameter", Severity: diag.Error,
		Summary: "What stands in a type's parentheses is missing, or is none of what the type takes."}
	TypeSyntax = &diag.Kind{ID: "RG115", Name: "type-syntax", Severity: diag.Error,
		Summary: "A type is not written as types are, for instance with a bracket that is not closed."}
	ValueWithoutEnum = &diag.Kind{ID: "RG116", Name: "value-without-enum", Severity: diag.Error,
		Summary: "A @value has no @enum above it that it could belong to."}
	BadVersion = &diag.Kind{ID: "RG117", Name: "bad-version", Severity: diag.Error,
		Summary: "A script's version is neither a semantic version nor a date serial, so versions can't be compared."}
	BadSince = &diag.Kind{ID: "RG118", Name: "bad-since", Severity: diag.Error,
		Summary: "@since does not name a server and its oldest version in a form that can be compared."}
	BadCharacter = &diag.Kind{ID: "RG119", Name: "bad-character", Severity: diag.Error,
		Summary: "A control character, or bytes that are not UTF-8, would get into generated code or hide what the header says."}
	NotSupported = &diag.Kind{ID: "RG190", Name: "not-supported-yet", Severity: diag.Error,
		Summary: "The header language has it, but this version of redisgen does not."}
)

// Kinds are all findings of this package.
var Kinds = []*diag.Kind{UnknownTag, MisplacedTag, HeaderTooLow, BadTimeout, DuplicateTag, MissingOperand, UnexpectedText, BadName, BadLiteral,
	UnterminatedString, UnknownOption, DuplicateOption, BadOptionValue, BadTemplate, UnknownType, BadTypeParameter,
	TypeSyntax, ValueWithoutEnum, BadVersion, BadSince, BadCharacter, NotSupported}

// show returns the text as a message quotes it: as it is if it is short and printable.
func show(text string) string {
	const longest = 40
	runes := 0
	for i, r := range text {
		if runes++; runes > longest {
			return show(text[:i]) + "…"
		}
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			if len(text) > 4*longest {
				text = text[:4*longest]
			}
			return strconv.QuoteToGraphic(text)
		}
	}
	return text
}
