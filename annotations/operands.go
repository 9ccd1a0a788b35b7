package annotations

import (
	"strconv"
	"strings"

	"github.com/redisgen/redisgen/internal/diag"
)

// operands reads what stands behind a tag's name.
type operands struct {
	*parser
	TagBase
	tokens []token
	free   Word      // everything before the doc text, as one text
	usage  string    // how the tag is written
	last   diag.Span // what was read last: if something is missing, it is missing here
	end    token     // what stands behind the last token
	lost   bool      // after a mistake it is not clear how to go on
	depth  int       // of types in each other
}

func (o *operands) peek() *token {
	if len(o.tokens) > 0 {
		return &o.tokens[0]
	}
	return &o.end
}

func (o *operands) next() *token {
	t := o.peek()
	if len(o.tokens) > 0 {
		o.tokens = o.tokens[1:]
		o.last = t.Span
	}
	return t
}

// missing reports that the tag ends too early, and returns a Word for the place.
func (o *operands) missing(what string) Word {
	o.sink.Report(MissingOperand, o.last, "%s is missing", what).WithHint("write %s", o.usage)
	o.lost = true
	return Word{Span: o.last}
}

// nothingMore reports operands that are left.
func (o *operands) nothingMore() {
	if len(o.tokens) == 0 || o.lost {
		return
	}
	span := o.tokens[0].Span.To(o.tokens[len(o.tokens)-1].Span)
	o.tokens = nil
	o.sink.Report(UnexpectedText, span, "%s is more than @%s takes", show(span.Text()), o.Name.Text).
		WithHint("remove it, or begin a description with a # between blanks")
}

// name reads a NAME. A wrong one has an empty text, and the place.
func (o *operands) name(what string) Word {
	t := o.next()
	switch {
	case t.kind == endToken:
		return o.missing(what)
	case t.kind == markToken:
		o.unexpected(t, what)
		return Word{Span: t.Span}
	case t.kind == wordToken && isName(t.text):
		return t.word()
	case !t.bad:
		o.badName(t, what)
	}
	return Word{Span: t.Span}
}

// unexpected reports a mark that stands in the place of something else.
func (o *operands) unexpected(t *token, what string) {
	o.sink.Report(UnexpectedText, t.Span, "%s where %s should stand", t.text, what).WithHint("write %s", o.usage)
	o.lost = true
}

func (o *operands) badName(t *token, what string) {
	f := o.sink.Report(BadName, t.Span, "%s can't be %s", show(t.text), what).
		WithHint("a name is lower-case letters, digits and _, and begins with a letter")
	if suggestion := suggestName(t.text); suggestion != "" {
		f.WithHint("write %s", suggestion)
	}
}

// member reads the name of a key or an argument. That of a group's member is known, but no group is yet.
func (o *operands) member(what string) Word {
	if t := o.peek(); t.kind == wordToken && memberPattern.MatchString(t.text) {
		o.notSupported(t.Span, "a member of a group", "write a name without a dot")
		return o.next().word()
	}
	return o.name(what)
}

// literal reads an integer or a string from the token; nil if it is neither.
func (o *operands) literal(t *token) *Literal {
	switch {
	case t.kind == stringToken && t.bad:
		return nil
	case t.kind == stringToken:
		return &Literal{IsString: true, Text: t.value, Span: t.Span}
	case t.kind == wordToken && integerPattern.MatchString(t.text):
		if _, err := strconv.ParseInt(t.text, 10, 64); err == nil {
			return &Literal{Text: t.text, Span: t.Span}
		}
		o.sink.Report(BadLiteral, t.Span, "%s does not fit 64 bits", show(t.text)).
			WithHint("Redis has no such integer; write it as a string in double quotes")
		return nil
	case t.kind == markToken:
		o.unexpected(t, "a literal")
		return nil
	}
	f := o.sink.Report(BadLiteral, t.Span, "%s is no literal", show(t.text)).
		WithHint(`a literal is an integer such as -1, or a string in double quotes such as "A"`)
	if n, err := strconv.ParseInt(t.text, 10, 64); err == nil {
		f.WithHint("write %d", n)
	} else if len(t.text) <= 64 && !strings.ContainsAny(t.text, `'\`) {
		f.WithHint("write a string in double quotes: %q", t.text)
	}
	return nil
}
