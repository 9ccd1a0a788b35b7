package annotations_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redisgen/redisgen/annotations"
)

// mistakes are headers and their findings: the kind's name, and the text that is wrong.
var mistakes = []struct {
	text string
	want []string
}{
	// Tags.
	{"-- @kye a string", []string{"unknown-tag @kye"}},
	{"-- @param x", []string{"unknown-tag @param"}},
	{"-- @Key a string", []string{"unknown-tag @Key"}},
	{"-- @return{a int}", []string{"unknown-tag @return{a"}},
	{"-- @ key a string", []string{"unknown-tag @"}},
	{"-- @кey a string", []string{"unknown-tag @кey"}},
	{"--[[\n @nope\n @owner ]]", []string{"unknown-tag @nope", "missing-operand @owner"}},
	{"-- @script a\n-- @script b", []string{"duplicate-tag @script"}},
	{"-- @version 1.0.0\n-- @version 1.0.0", []string{"duplicate-tag @version"}},
	{"-- @readonly\n-- @readonly\n-- @owner a\n-- @owner b", []string{"duplicate-tag @readonly", "duplicate-tag @owner"}},
	{"-- @return int\n-- @return int\n-- @return int", []string{"duplicate-tag @return", "duplicate-tag @return"}},
	{"-- @since redis 7.0\n-- @since redis 7.2", []string{"duplicate-tag redis"}},
	{"-- @cluster off\n-- @example a\n--   call x=\"\n-- @touches \"x", []string{"not-supported-yet @cluster", "not-supported-yet @example", "not-supported-yet @touches"}},
	{"-- @timeout", []string{"missing-operand @timeout"}},
	{"-- @timeout 5", []string{"bad-timeout 5"}},
	{"-- @timeout -1s", []string{"bad-timeout -1s"}},
	{"-- @timeout 5s 6s", []string{"unexpected-text 6s"}},
	{"-- @cluster off\n-- @ignore RG001 x\n-- @include \"a\"\n-- @fragment\n-- @shared\n-- @use \"a\"\n-- @group a A", []string{
		"not-supported-yet @cluster", "not-supported-yet @ignore", "not-supported-yet @include", "not-supported-yet @fragment",
		"not-supported-yet @shared", "not-supported-yet @use", "not-supported-yet @group"}},
	{"-- @version 1.0.0\n-- @function a\n-- @version 1.0.0", []string{"not-supported-yet @function"}},
	{"-- @key items.stock string\n-- @arg items.qty int", []string{"not-supported-yet items.stock", "not-supported-yet items.qty"}},
	{"-- @script a\x00b", []string{"bad-name a\x00b", "bad-character \x00"}},
	{"-- @owner a\xffb\n--     c\xff", []string{"bad-character \xff"}},
	{"-- \u202etext\n-- @owner a", []string{"bad-character \u202e"}},
	{"-- \x07text\n", nil},

	// After the first statement.
	{"-- @readonly\nx()\n-- @key a string", []string{"misplaced-tag @key"}},
	{"x()\n-- @key a string", []string{"header-too-low @key"}},
	{"x()\n--[[\n @arg a int\n]]\ny()", []string{"header-too-low @arg"}},
	{"x() -- @key a string\n-- @param x\n---@return int\n-- @todo", nil},
	{"x()\n--- Adds.\n-- @return int\n\n-- @return int", []string{"header-too-low @return"}},
	{"x()\n-------\n-- @return int", []string{"header-too-low @return"}},
	{"x()\n-- @include \"a.lua\"\n-- @function f\n-- @key a string\ny()\n-- @key a string", []string{
		"not-supported-yet @include", "not-supported-yet @function", "misplaced-tag @key"}},

	// Script tags.
	{"-- @script", []string{"missing-operand @script"}},
	{"-- @script # doc", []string{"missing-operand @script"}},
	{"-- @script My-Script", []string{"bad-name My-Script"}},
	{"-- @script \"a\"", []string{"bad-name \"a\""}},
	{"-- @script a b c # d", []string{"unexpected-text b c"}},
	{"-- @script {a}", []string{"unexpected-text {"}},
	{"-- @owner\n-- @deprecated # x", []string{"missing-operand @owner", "missing-operand @deprecated"}},
	{"-- @readonly yes", []string{"unexpected-text yes"}},
	{"-- @version", []string{"missing-operand @version"}},
	{"-- @version v1.0.0", []string{"bad-version v1.0.0"}},
	{"-- @version 1.0", []string{"bad-version 1.0"}},
	{"-- @version 01.0.0", []string{"bad-version 01.0.0"}},
	{"-- @version 1.0.0-01", []string{"bad-version 1.0.0-01"}},
	{"-- @version 2026-02-29.1", []string{"bad-version 2026-02-29.1"}},
	{"-- @version 2026-02-28.01", []string{"bad-version 2026-02-28.01"}},
	{"-- @version 1.0.0 stable", []string{"unexpected-text stable"}},
	{"-- @since", []string{"missing-operand @since"}},
	{"-- @since redis", []string{"missing-operand redis"}},
	{"-- @since 7.0", []string{"bad-since 7.0"}},
	{"-- @since rediss 7.0", []string{"bad-since rediss"}},
	{"-- @since redis 7", []string{"bad-since 7"}},
	{"-- @since redis >=7.0 x", []string{"bad-since >", "unexpected-text =7.0 x"}},

	// Keys.
	{"-- @key", []string{"missing-operand @key"}},
	{"-- @key a", []string{"missing-operand a"}},
	{"-- @key a \"x\" ttl=none", []string{"missing-operand a"}},
	{"-- @key a ttl=non", []string{"missing-operand a", "bad-option-value non"}},
	{"-- @key aB string", []string{"bad-name aB"}},
	{"-- @key a [string]", []string{"type-syntax ["}},
	{"-- @key a {string}", []string{"unexpected-text {"}},
	{"-- @key a string ttl=none \"x\"", []string{"unexpected-text \"x\""}},
	{"-- @key a string tll=none bound=5", []string{"unknown-option tll"}},
	{"-- @key a string size=5 bound=0", []string{"unknown-option size", "bad-option-value 0"}},
	{"-- @key a string holds the value", []string{"unknown-option holds"}},
	{"-- @key a string the value, mostly ttl=none", []string{"unknown-option the"}},
	{"-- @key a string 5 (x) ttl=none bound=1,000", []string{"unexpected-text 5 (x)", "bad-option-value 1,000"}},
	{"-- @key a string ttl=none ttl=none", []string{"duplicate-option ttl"}},
	{"-- @key a string ttl", []string{"bad-option-value ttl"}},
	{"-- @key a string ttl= bound=1", []string{"bad-option-value ttl="}},
	{"-- @key a string ttl = none bound=1", []string{"bad-option-value ttl ="}},
	{"-- @key a string routing=yes", []string{"bad-option-value =yes"}},
	{"-- @key a string in=keys", []string{"bad-option-value keys"}},
	{"-- @key a string min=-1 max=x", []string{"bad-option-value -1", "bad-option-value x"}},
	{"-- @key a string absent=x", []string{"bad-option-value x"}},
	{"-- @key a string absent=\"{\"", []string{"bad-template {"}},

	// Templates.
	{`-- @key a string ""`, []string{`bad-template ""`}},
	{`-- @key a string "a:{}"`, []string{"bad-template {}"}},
	{`-- @key a string "a:{<b>"`, []string{"bad-template {"}},
	{`-- @key a string "a:<b>}"`, []string{"bad-template }"}},
	{`-- @key a string "{<a>}:{<b>}"`, []string{"bad-template {"}},
	{`-- @key a string "{<a>}}"`, []string{"bad-template }"}},
	{`-- @key a string "{a{b}c"`, []string{"bad-template {"}},
	{`-- @key a string "x:<b"`, []string{"bad-template <"}},
	{`-- @key a string "x:<b:<c>"`, []string{"bad-template <"}},
	{`-- @key a string "x:b>" ttl=nix`, []string{"bad-template >", "bad-option-value nix"}},
	{`-- @key a string "<>"`, []string{"bad-template <>"}},
	{`-- @key a string "<userId>\x3cA>"`, []string{"bad-template userId", "bad-template A"}},

	// Strings and literals.
	{`-- @key a string "x ttl=none`, []string{`unterminated-string "`}},
	{"-- @key a string \"x\n--     y\"", []string{`unterminated-string "`}},
	{`-- @key a string "x\" # doc`, []string{`unterminated-string "`}},
	{`-- @key a string "\q\x4" ttl=nix`, []string{`bad-literal \q`, `bad-literal \x`, "bad-option-value nix"}},
	{"-- @enum a string\n-- @value b B", []string{"bad-literal B"}},
	{"-- @enum a string\n-- @value b 'B'", []string{"bad-literal 'B'"}},
	{"-- @enum a int\n-- @value b 007\n-- @value c 9223372036854775808\n-- @value d +1\n-- @value e 1.5\n-- @value f -0", []string{
		"bad-literal 007", "bad-literal 9223372036854775808", "bad-literal +1", "bad-literal 1.5", "bad-literal -0"}},
	{"-- @enum a int\n-- @value b (1)", []string{"unexpected-text ("}},

	// Enums, codes, errors.
	{"-- @value a 1", []string{"value-without-enum @value"}},
	{"-- @value a 1\n-- @enum b int", []string{"value-without-enum @value"}},
	{"-- @enum\n-- @value a", []string{"missing-operand @enum", "missing-operand a"}},
	{"-- @enum a", []string{"missing-operand a"}},
	{"-- @enum a strng", []string{"unknown-type strng"}},
	{"-- @code", []string{"missing-operand @code"}},
	{"-- @code 1", []string{"missing-operand 1"}},
	{"-- @code ok fine", []string{"bad-literal ok"}},
	{"-- @code aray jobs []string", []string{"bad-literal aray"}},
	{"-- @code 1 Fine strng", []string{"bad-name Fine", "unknown-type strng"}},
	{"-- @code 1 fine error error", []string{"unknown-type error"}},
	{"-- @code 1 fine int int", []string{"unexpected-text int"}},
	{"-- @error", []string{"missing-operand @error"}},
	{"-- @error LOCKED", []string{"missing-operand LOCKED"}},
	{"-- @error locked held", []string{"bad-name locked"}},
	{"-- @error LOCKED HELD x", []string{"bad-name HELD", "unexpected-text x"}},

	// Arguments.
	{"-- @arg", []string{"missing-operand @arg"}},
	{"-- @arg a", []string{"missing-operand a"}},
	{"-- @arg a min=x", []string{"missing-operand a", "bad-option-value x"}},
	{"-- @arg a integer min=1", []string{"unknown-type integer"}},
	{"-- @arg a int min=1 min=2 max", []string{"duplicate-option min", "bad-option-value max"}},
	{"-- @arg a int min=1x max=\"2\"", []string{"bad-option-value 1x", "bad-option-value \"2\""}},
	{"-- @arg a int ttl=none", []string{"unknown-option ttl"}},
	{"-- @arg a string as", []string{"bad-option-value as"}},
	{"-- @arg a string as Type", []string{"bad-option-value as", "unexpected-text Type"}},
	{"-- @arg a string as \"a b\".Type secret=1", []string{"bad-literal \"a b\"", "bad-option-value =1"}},
	{"-- @arg a string as .9", []string{"bad-name .9"}},
	{"-- @arg a string as \"x\"", []string{"type-syntax \"x\""}},

	// Types.
	{"-- @return", []string{"missing-operand @return"}},
	{"-- @return strng", []string{"unknown-type strng"}},
	{"-- @return Strng", []string{"unknown-type Strng"}},
	{"-- @return foo(a, (b)) x", []string{"unknown-type foo", "unexpected-text x"}},
	{"-- @return foo{a strng}", []string{"unknown-type foo", "unknown-type strng"}},
	{"-- @return duration", []string{"bad-type-parameter duration"}},
	{"-- @return duration(m)", []string{"bad-type-parameter m"}},
	{"-- @return duration(5)", []string{"bad-type-parameter 5"}},
	{"-- @return time()", []string{"bad-type-parameter ()"}},
	{"-- @return time(s, ms)", []string{"bad-type-parameter ms"}},
	{"-- @return string(5)", []string{"bad-type-parameter (5)"}},
	{"-- @return bool(yes)", []string{"bad-type-parameter yes"}},
	{"-- @return bool(\"yes\")", []string{"bad-type-parameter (\"yes\")"}},
	{"-- @return bool(\"a\", \"b\", \"c\")", []string{"bad-type-parameter \"c\""}},
	{"-- @return bool(true,false)", []string{"bad-type-parameter true"}},
	{"-- @return map", []string{"bad-type-parameter map"}},
	{"-- @return map(string)", []string{"bad-type-parameter (string)"}},
	{"-- @return map(string,int,int)", []string{"bad-type-parameter int"}},
	{"-- @return page", []string{"bad-type-parameter page"}},
	{"-- @return page(int,int)", []string{"bad-type-parameter int"}},
	{"-- @return count(x.y)", []string{"bad-type-parameter x.y"}},
	{"-- @return enum", []string{"bad-type-parameter enum"}},
	{"-- @return enum State", []string{"bad-name State"}},
	{"-- @return const", []string{"bad-type-parameter const"}},
	{"-- @return const x", []string{"bad-literal x"}},
	{"-- @return hash", []string{"bad-type-parameter hash"}},
	{"-- @return rows(a int)", []string{"bad-type-parameter rows"}},
	{"-- @return [0]int", []string{"bad-type-parameter 0"}},
	{"-- @return [len]int", []string{"type-syntax ]"}},
	{"-- @return [len(]int", []string{"type-syntax ]"}},
	{"-- @return [len(X)]int", []string{"bad-name X"}},
	{"-- @return [int", []string{"bad-type-parameter int", "type-syntax ["}},
	{"-- @return []", []string{"type-syntax ]"}},
	{"-- @return int??", []string{"type-syntax ?"}},
	{"-- @return int?()", []string{"bad-literal ()"}},
	{"-- @return int?(x)", []string{"bad-literal x"}},
	{"-- @return int?(1", []string{"type-syntax ("}},
	{"-- @return int?(1 2)", []string{"type-syntax 2"}},
	{"-- @return (int", []string{"type-syntax ("}},
	{"-- @return json(int", []string{"type-syntax ("}},
	{"-- @return json(int int)", []string{"type-syntax int"}},
	{"-- @return json(,)", []string{"type-syntax ,"}},
	{"-- @return duration(", []string{"type-syntax ("}},
	{"-- @return string(", []string{"type-syntax ("}},
	{"-- @return \"x\"", []string{"type-syntax \"x\""}},
	{"-- @return ,", []string{"type-syntax ,"}},
	{"-- @return {}", []string{"type-syntax {}"}},
	{"-- @return {a int", []string{"type-syntax {"}},
	{"-- @return {a int,}", []string{"type-syntax }"}},
	{"-- @return {int, a string}", []string{"type-syntax int"}},
	{"-- @return {a: int, bB int}", []string{"bad-name a:", "bad-name bB"}},
	{"-- @return {a int b int, c strng, d [int, e duration(m)}", []string{
		"type-syntax b", "unknown-type strng", "bad-type-parameter int", "type-syntax ,", "bad-type-parameter m"}},
	{"-- @return {code \"x\"}", []string{"type-syntax code"}},
	{"-- @return {a {b strng}, c (int}, d int}", []string{"unknown-type strng", "type-syntax }", "unexpected-text , d int}"}},
	{"-- @arg a {b int min=1", []string{"type-syntax min"}},
	{"-- @return " + strings.Repeat("[]", 40) + "int", []string{"type-syntax ["}},
	{"-- @return " + strings.Repeat("{a ", 40), []string{"type-syntax {"}},
}

func TestMistakes(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range mistakes {
		header, findings := parse(c.text)
		got := summary(findings)
		want := slices.Clone(c.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s\n\tgot  %q\n\twant %q", c.text, got, want)
		}
		for _, f := range findings {
			seen[f.Kind.ID] = true
			if f.Hint == "" {
				t.Errorf("%s\n\tno hint for: %s", c.text, f.Message)
			}
			if strings.HasSuffix(f.Message, ".") || strings.HasSuffix(f.Hint, ".") || f.Message == "" {
				t.Errorf("%s\n\tnot as messages are written: %q (%q)", c.text, f.Message, f.Hint)
			}
		}
		if len(findings) > 0 && !header.Ours() {
			t.Errorf("%s\n\thas findings but is not ours", c.text)
		}
	}
	for _, kind := range annotations.Kinds {
		if !seen[kind.ID] {
			t.Errorf("no case for %s %s", kind.ID, kind.Name)
		}
	}
}

func TestKinds(t *testing.T) {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, kind := range annotations.Kinds {
		if !regexp.MustCompile(`^RG1\d\d$`).MatchString(kind.ID) || ids[kind.ID] {
			t.Errorf("bad or second ID %s", kind.ID)
		}
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(kind.Name) || names[kind.Name] {
			t.Errorf("bad or second name %s", kind.Name)
		}
		if !strings.HasSuffix(kind.Summary, ".") || strings.Count(kind.Summary, ". ") > 0 {
			t.Errorf("the summary of %s is not one sentence: %s", kind.ID, kind.Summary)
		}
		ids[kind.ID], names[kind.Name] = true, true
	}
}

// TestHints looks at the hints that say what was meant.
func TestHints(t *testing.T) {
	for text, want := range map[string]string{
		"-- @kye a string":                      "did you mean @key?",
		"-- @return{a int}":                     "write a blank behind @return",
		"-- @ key a string":                     "write @key without a blank",
		"-- @script maxRequests":                "write max_requests",
		"-- @script my-script":                  "write my_script",
		"-- @version v1.2":                      "write 1.2.0",
		"-- @version 3":                         "write 3.0.0",
		"-- @since valky 8.0":                   "did you mean valkey?",
		"-- @since 7.2":                         "write redis 7.2 or valkey 7.2",
		"-- @key a string tll=none":             "did you mean ttl?",
		"-- @key a string ttl=never":            "write ttl=required, ttl=external or ttl=none",
		"-- @arg a boolean":                     "write bool",
		"-- @arg a strng":                       "did you mean string?",
		"-- @arg a duration":                    "write duration(s), (ms), (us), (ns), or (f) for seconds in plain decimal",
		"-- @code ok fine":                      `a string is written "ok"`,
		"-- @code aray a":                       `did you mean array? a string is written "aray"`,
		"-- @error lock-held a":                 "write it as the reply begins: LOCK_HELD",
		"-- @enum a int\n-- @value b 007":       "write 7",
		"-- @return {int, a int}":               "write a name before the type, such as {count int}",
		"-- @key a string \"<userId>\"":         "write <user_id>",
		"-- @timeout 5":                         "write it with its unit, such as 250ms or 2s",
		"-- @key a string what it holds":        "the options are absent, bound, in, max, min, routing, ttl; a description begins with a # between blanks",
		"-- @arg a Limit":                       `a record is written Limit{a T, b U}, a Go type "import/path".Limit`,
		"-- @script a\n-- @script a":            "remove one of the two",
		"-- @enum state string\n-- @value a AB": `write a string in double quotes: "AB"`,
	} {
		_, findings := parse(text)
		if len(findings) != 1 || findings[0].Hint != want {
			for _, f := range findings {
				t.Errorf("%s\n\thint %q\n\twant %q", text, f.Hint, want)
			}
			if len(findings) == 0 {
				t.Errorf("%s: no finding", text)
			}
		}
	}
}

func TestDuplicatesShowTheFirst(t *testing.T) {
	for _, text := range []string{"-- @owner a\n-- @owner b", "-- @arg a int min=1 min=2", "-- @since redis 7.0\n-- @since redis 7.2"} {
		_, findings := parse(text)
		if len(findings) != 1 || len(findings[0].Notes) != 1 {
			t.Fatalf("%s: want one finding with one note", text)
		}
		note, here := findings[0].Notes[0].Span, findings[0].Span
		if note.Text() != here.Text() || note.Start >= here.Start {
			t.Errorf("%s: the note is at %q %v, the finding at %v", text, note.Text(), note, here)
		}
	}
}

// TestGoesOn looks at what is still read after a mistake.
func TestGoesOn(t *testing.T) {
	header, _ := parse("-- @key Bad zset \"{<a>}\" ttl=nix bound=3\n-- @arg a strng min=1\n-- @return {a int, b [, c int}\n-- @nope\n-- @code x fine int")
	key := header.Tags[0].(*annotations.KeyTag)
	equal(t, "key", key.Key.Text, "")
	equal(t, "place of the key", key.Key.Span.Text(), "Bad")
	equal(t, "kind", key.Kind.Text, "zset")
	equal(t, "options", options(key.Options), "bound=3")
	arg := header.Tags[1].(*annotations.ArgTag)
	equal(t, "type", arg.Type, nil)
	equal(t, "options", options(arg.Options), "min=1")
	equal(t, "return", describe(header.Tags[2].(*annotations.ReturnTag).Type), "{a int, b, c int}")
	equal(t, "other", header.Tags[3].(*annotations.OtherTag).Name.Text, "nope")
	code := header.Tags[4].(*annotations.CodeTag)
	equal(t, "literal", code.Literal, nil)
	equal(t, "code", code.Code.Text, "fine")
	equal(t, "payload", describe(code.Payload), "int")
}
