// Package diag is everything redisgen has to say to a person: sources, positions in them, and findings.
//
// A mistake in a user's file is a [Finding] that is reported to a [Sink], never a Go error; a Go error is for the
// machine (a full disk, a bug). A stage that meets a mistake reports it and goes on, so that one run shows every
// mistake.
package diag

import "fmt"

// Severity says how much a finding matters. Errors stop generation; warnings are shown and do not; infos are shown on
// request only.
type Severity uint8

// The severities, worst first.
const (
	Error Severity = iota
	Warning
	Info
)

func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
		return "info"
	}
	return "severity?"
}

// Kind is one sort of finding. Its ID is what users see, search for and silence, so a number is never used twice:
// RG001–RG099 the body against its header and Redis, RG1xx the syntax of a header, RG2xx its meaning and its Go names,
// RG3xx files and configuration.
//
// A kind is declared once, as a package variable beside the code that reports it, and listed in that package's
// Kinds, so that documentation and tests can walk all of them.
type Kind struct {
	ID       string // "RG101"
	Name     string // "unknown-tag": lower case, words joined by dashes
	Severity Severity
	Summary  string // one sentence: what is wrong and why it matters
}

// Finding is one mistake, at the smallest piece of text that is wrong.
type Finding struct {
	Kind    *Kind
	Span    Span   // the zero Span for a finding about no text
	Message string // lower case, no full stop: "unknown tag @kye"
	Hint    string // what to do: "did you mean @key?"; may be empty
	Notes   []Note // other places that matter, such as the first of two clashing names
}

// Note is a second place that belongs to a finding.
type Note struct {
	Span    Span
	Message string
}

// WithHint sets what the user should do and returns the finding.
func (f *Finding) WithHint(format string, args ...any) *Finding {
	f.Hint = fmt.Sprintf(format, args...)
	return f
}

// WithNote adds a second place and returns the finding.
func (f *Finding) WithNote(span Span, format string, args ...any) *Finding {
	f.Notes = append(f.Notes, Note{Span: span, Message: fmt.Sprintf(format, args...)})
	return f
}
