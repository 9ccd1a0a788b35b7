package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteText writes findings for people: place, severity and message, the source line with the wrong text underlined,
// notes, and the hint. Colour is for terminals.
func WriteText(w io.Writer, findings []*Finding, color bool) error {
	var b strings.Builder
	p := textPrinter{b: &b}
	if color {
		p.style = ansi
	}
	for _, f := range findings {
		p.finding(f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// style are the escape sequences before and after what is coloured; the zero style has none.
type style struct{ place, severity, caret, note, hint, end string }

var ansi = func(s Severity) style {
	severity := "\x1b[1;31m" // red
	switch s {
	case Warning:
		severity = "\x1b[1;33m" // yellow
	case Info:
		severity = "\x1b[1;34m" // blue
	}
	return style{place: "\x1b[1m", severity: severity, caret: severity, note: "\x1b[1;36m", hint: "\x1b[1;32m", end: "\x1b[0m"}
}

type textPrinter struct {
	b     *strings.Builder
	style func(Severity) style // nil: no colour
}

func (p textPrinter) finding(f *Finding) {
	var s style
	if p.style != nil {
		s = p.style(f.Kind.Severity)
	}
	gutter := gutterWidth(f)

	p.place(f.Span, s)
	fmt.Fprintf(p.b, "%s%s:%s %s [%s]\n", s.severity, f.Kind.Severity, s.end, oneLine(f.Message), f.Kind.ID)
	p.excerpt(f.Span, gutter, s.caret, s.end)
	for _, n := range f.Notes {
		p.place(n.Span, s)
		fmt.Fprintf(p.b, "%snote:%s %s\n", s.note, s.end, oneLine(n.Message))
		p.excerpt(n.Span, gutter, s.note, s.end)
	}
	if f.Hint != "" {
		fmt.Fprintf(p.b, "  %shint:%s %s\n", s.hint, s.end, oneLine(f.Hint))
	}
}

func (p textPrinter) place(span Span, s style) {
	if span.IsValid() {
		fmt.Fprintf(p.b, "%s%s:%s ", s.place, oneLine(span.String()), s.end)
	}
}

// excerpt writes the line on which the span starts, and under it a line that marks the span.
func (p textPrinter) excerpt(span Span, gutter int, start, end string) {
	if !span.IsValid() || span.File.Text == "" { // a file that was named, not read, has no line to show
		return
	}
	number, _ := span.Position()
	e := excerptOf(span)
	fmt.Fprintf(p.b, "%s\n", strings.TrimRight(fmt.Sprintf("%*d | %s", gutter, number, e.line), " "))
	fmt.Fprintf(p.b, "%*s | %s%s%s%s\n", gutter, "", e.indent, start, e.mark, end)
}

// gutterWidth is that of the largest line number of the finding and its notes, so that their excerpts align.
func gutterWidth(f *Finding) int {
	line, _ := f.Span.Position()
	for _, n := range f.Notes {
		l, _ := n.Span.Position()
		line = max(line, l)
	}
	return max(len(strconv.Itoa(line)), 4)
}

// oneLine makes a text that may quote a file harmless for a terminal and for people who read line by line.
func oneLine(text string) string { return strings.Map(harmless, text) }
