package diag

import (
	"slices"
	"testing"
)

var (
	kindError   = &Kind{ID: "RG101", Name: "test-error", Severity: Error}
	kindWarning = &Kind{ID: "RG102", Name: "test-warning", Severity: Warning}
	kindInfo    = &Kind{ID: "RG103", Name: "test-info", Severity: Info}
)

func TestFindingsAreSortedAndUnique(t *testing.T) {
	a, b := NewFile("a.lua", "one two\n"), NewFile("b.lua", "one two\n")
	var s Sink
	s.Report(kindError, b.Span(0, 3), "m")
	s.Report(kindWarning, a.Span(4, 7), "m")
	s.Report(kindError, a.Span(4, 7), "z")
	s.Report(kindError, a.Span(4, 7), "m").WithHint("kept")
	s.Report(kindError, a.Span(4, 5), "m")                   // a shorter span is another finding
	s.Report(kindError, a.Span(4, 7), "m").WithHint("again") // not beside its twin
	s.Report(kindError, NewFile("a.lua", "one two\n").Span(0, 3), "m")
	s.Report(kindError, a.Span(0, 3), "m") // another reading of the same file is the same file
	s.Report(kindInfo, Span{}, "nowhere")

	var got []string
	for _, f := range s.Findings() {
		got = append(got, f.Span.String()+" "+f.Kind.ID+" "+f.Message+" "+f.Span.Text()+" "+f.Hint)
	}
	want := []string{
		"? RG103 nowhere  ",
		"a.lua:1:1 RG101 m one ",
		"a.lua:1:5 RG101 m t ",
		"a.lua:1:5 RG101 m two kept",
		"a.lua:1:5 RG101 z two ",
		"a.lua:1:5 RG102 m two ",
		"b.lua:1:1 RG101 m one ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestErrorsCountsErrorsOnly(t *testing.T) {
	var s Sink
	if s.Errors() != 0 || len(s.Findings()) != 0 {
		t.Error("the zero sink is not empty")
	}
	s.Report(kindWarning, Span{}, "w")
	s.Report(kindError, Span{}, "e")
	s.Report(kindInfo, Span{}, "i")
	if n := s.Errors(); n != 1 {
		t.Errorf("%d errors, want 1", n)
	}
}

func TestReportFormats(t *testing.T) {
	f := NewFile("a.lua", "x")
	var s Sink
	got := s.Report(kindError, f.Span(0, 1), "unknown tag @%s", "kye").WithHint("did you mean @%s?", "key").
		WithNote(f.Span(0, 1), "first %d", 1)
	if got.Message != "unknown tag @kye" || got.Hint != "did you mean @key?" || len(got.Notes) != 1 || got.Notes[0].Message != "first 1" {
		t.Errorf("got %+v", got)
	}
	if s.Findings()[0] != got {
		t.Error("Report returns another finding than the sink holds")
	}
}

func TestSeverityNames(t *testing.T) {
	for s, want := range map[Severity]string{Error: "error", Warning: "warning", Info: "info", 9: "severity?"} {
		if s.String() != want {
			t.Errorf("severity %d is %q, want %q", s, s, want)
		}
	}
}
