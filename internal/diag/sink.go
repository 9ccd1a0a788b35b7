package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Sink collects findings. The zero Sink is ready to use. It is not safe for concurrent use.
type Sink struct {
	findings []*Finding
}

// Report adds a finding and returns it, so that a hint and notes can be added to it.
func (s *Sink) Report(kind *Kind, span Span, format string, args ...any) *Finding {
	f := &Finding{Kind: kind, Span: span, Message: fmt.Sprintf(format, args...)}
	s.findings = append(s.findings, f)
	return f
}

// Errors returns the number of findings of severity error.
func (s *Sink) Errors() int {
	n := 0
	for _, f := range s.findings {
		if f.Kind.Severity == Error {
			n++
		}
	}
	return n
}

// Findings returns what was reported, sorted by file, position and ID, without duplicates; of two equal ones the first
// stays, with its hint and notes.
func (s *Sink) Findings() []*Finding {
	sorted := slices.Clone(s.findings)
	slices.SortStableFunc(sorted, compare)
	return slices.CompactFunc(sorted, func(a, b *Finding) bool { return compare(a, b) == 0 })
}

func compare(a, b *Finding) int {
	return cmp.Or(
		cmp.Compare(fileName(a), fileName(b)),
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Kind.ID, b.Kind.ID),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Span.End, b.Span.End), // so that duplicates are neighbours
	)
}

func fileName(f *Finding) string {
	if f.Span.File == nil {
		return ""
	}
	return f.Span.File.Name
}

// Merge adds the findings of another sink.
func (s *Sink) Merge(other *Sink) { s.findings = append(s.findings, other.findings...) }
