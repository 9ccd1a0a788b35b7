package annotations

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/redisgen/redisgen/internal/diag"
)

// optionSyntax is how the value of an option is written.
type optionSyntax struct {
	flag  bool // no value
	form  string
	check func(o *operands, value *token) bool // nil for "as", which has an operand instead
}

var keyOptions = map[string]optionSyntax{
	"ttl":     {form: "ttl=required, ttl=external or ttl=none", check: oneOf("required", "external", "none")},
	"bound":   {form: "bound=N, an integer above 0", check: matches(`^[1-9][0-9]{0,17}$`)},
	"absent":  {form: `absent="TEMPLATE"`, check: absentTemplate},
	"in":      {form: "in=args", check: oneOf("args")},
	"routing": {flag: true},
	"min":     {form: "min=N, an integer", check: matches(`^(?:0|[1-9][0-9]{0,17})$`)},
	"max":     {form: "max=N, an integer", check: matches(`^(?:0|[1-9][0-9]{0,17})$`)},
}

var argOptions = map[string]optionSyntax{
	"min":    {form: "min=V, a number or a duration such as 5, 0.5 or 10ms", check: isLimit},
	"max":    {form: "max=V, a number or a duration such as 5, 0.5 or 10ms", check: isLimit},
	"secret": {flag: true},
	"in":     {form: "in=keys", check: oneOf("keys")},
	"as":     {form: `as "import/path".Type or as .Type`},
}

func oneOf(words ...string) func(*operands, *token) bool {
	return func(_ *operands, t *token) bool { return t.kind == wordToken && slices.Contains(words, t.text) }
}

func matches(pattern string) func(*operands, *token) bool {
	re := regexp.MustCompile(pattern)
	return func(_ *operands, t *token) bool { return t.kind == wordToken && re.MatchString(t.text) }
}

func isLimit(_ *operands, t *token) bool {
	if t.kind != wordToken {
		return false
	}
	_, err := time.ParseDuration(t.text)
	return err == nil && t.text[0] != '+' || numberPattern.MatchString(t.text)
}

// absentTemplate accepts a template and the empty string.
func absentTemplate(o *operands, t *token) bool {
	if t.kind == stringToken && !t.bad && t.value != "" {
		o.template(t)
	}
	return t.kind == stringToken
}

// options reads the options of the tag up to its end.
func (o *operands) options(known map[string]optionSyntax) []Option {
	var options []Option
	seen := map[string]diag.Span{}
	for len(o.tokens) > 0 && !o.lost {
		t := o.peek()
		if t.kind != wordToken || !isName(t.text) {
			o.noOption(known)
			continue
		}
		syntax, ok := known[t.text]
		if !ok {
			o.unknownOption(known)
			continue
		}
		if first, again := seen[t.text]; again {
			o.sink.Report(DuplicateOption, t.Span, "%s is there twice", t.text).WithHint("remove one of the two").
				WithNote(first, "the first one is here")
		} else {
			seen[t.text] = t.Span
		}
		option, ok := o.option(syntax)
		if ok {
			options = append(options, option)
		}
	}
	return options
}

// option reads one option whose name is known.
func (o *operands) option(syntax optionSyntax) (Option, bool) {
	name := *o.next()
	option := Option{Name: name.word(), Whole: name.Span}
	if syntax.check == nil && !syntax.flag {
		return o.goTypeOption(option)
	}
	assign := *o.peek()
	value, given := o.optionValue()
	switch {
	case syntax.flag && !given:
		return option, true
	case syntax.flag:
		o.sink.Report(BadOptionValue, assign.Span.To(o.last), "%s takes no value", name.text).WithHint("write only %s", name.text)
		return option, true
	case !given:
		o.sink.Report(BadOptionValue, name.Span, "%s needs a value", name.text).WithHint("write %s", syntax.form)
		return option, false
	case value.kind == endToken:
		o.sink.Report(BadOptionValue, name.Span.To(assign.Span), "no value behind %s", name.text+"=").
			WithHint("write %s, without blanks around the =", syntax.form)
		return option, false
	case value.bad:
		return option, false
	case !syntax.check(o, value):
		o.sink.Report(BadOptionValue, value.Span, "%s can't be the value of %s", show(value.Span.Text()), name.text).
			WithHint("write %s", syntax.form)
		return option, false
	}
	option.Value = value.word()
	if value.kind == stringToken {
		option.Value.Text = value.value
	}
	option.Whole = name.Span.To(value.Span)
	return option, true
}

// optionValue reads "=value". Whatever touches the value belongs to it, so that 1,000 is one wrong value.
func (o *operands) optionValue() (value *token, given bool) {
	if !o.peek().isMark("=") {
		return nil, false
	}
	assign := o.next()
	value = o.peek()
	if !assign.glued || !value.glued {
		if option := len(o.tokens) > 1 && o.tokens[1].isMark("="); value.kind != endToken && !option {
			o.next() // most likely the value
		}
		return &token{}, true
	}
	v := *o.next()
	for o.peek().glued && !o.lost {
		v.kind = markToken // no form of value
		v.Span = v.Span.To(o.next().Span)
	}
	return &v, true
}

func (o *operands) goTypeOption(option Option) (Option, bool) {
	t := o.peek()
	if t.kind != stringToken && (t.kind != wordToken || t.text[0] != '.') {
		o.sink.Report(BadOptionValue, option.Name.Span, "as needs a Go type").WithHint("write %s", argOptions["as"].form)
		return option, false
	}
	goType := o.goType()
	if goType == nil {
		return option, false
	}
	option.GoType = goType
	option.Value = Word{Text: goType.Span.Text(), Span: goType.Span}
	option.Whole = option.Name.Span.To(goType.Span)
	return option, true
}

// beginsOption reports whether an option stands next.
func (o *operands) beginsOption(known map[string]optionSyntax) bool {
	_, ok := known[o.peek().text]
	return ok || len(o.tokens) > 1 && isName(o.peek().text) && o.tokens[1].isMark("=")
}

// noOption reports what can't begin an option, and skips to what does.
func (o *operands) noOption(known map[string]optionSyntax) {
	first := o.next().Span
	for len(o.tokens) > 0 && !o.beginsOption(known) {
		o.next()
	}
	span := first.To(o.last)
	o.sink.Report(UnexpectedText, span, "%s is no option", show(span.Text())).
		WithHint("remove it, or begin a description with a # between blanks; the form is %s", o.usage)
}

// unknownOption reports an option that the tag does not have. Words without a value behind one are most likely prose,
// which one finding is enough for.
func (o *operands) unknownOption(known map[string]optionSyntax) {
	name := *o.next()
	names := slices.Sorted(maps.Keys(known))
	f := o.sink.Report(UnknownOption, name.Span, "@%s has no option %s", o.Name.Text, show(name.text))
	near := diag.Nearest(name.text, names)
	if near != "" {
		f.WithHint("did you mean %s?", near)
	} else if _, given := o.optionValue(); given {
		f.WithHint("the options are %s", strings.Join(names, ", "))
		return
	} else {
		f.WithHint("the options are %s; a description begins with a # between blanks", strings.Join(names, ", "))
	}
	if near != "" {
		o.optionValue()
		return
	}
	for len(o.tokens) > 0 && !o.beginsOption(known) {
		o.next()
	}
}
