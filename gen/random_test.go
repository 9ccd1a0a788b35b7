package gen_test

import "strings"

// chooser makes choices of bytes, so that the fuzzer finds its way and a seed gives the same header again. When the
// bytes are used up every choice is the first one.
type chooser struct {
	data []byte
	wild bool            // also what is most likely a mistake
	used map[string]bool // names that are taken
}

func (c *chooser) n(limit int) int {
	if len(c.data) == 0 {
		return 0
	}
	b := int(c.data[0])
	c.data = c.data[1:]
	return b % limit
}

func (c *chooser) of(words ...string) string { return words[c.n(len(words))] }

// some is a choice of the first words, which are fine; in a wild header all count.
func (c *chooser) some(fine int, words []string) string {
	if c.wild {
		fine = len(words)
	}
	return words[c.n(fine)]
}

// name is a name that no other part has, but in a wild header.
func (c *chooser) name() string {
	i := c.n(len(fieldNames))
	for !c.wild && c.used[fieldNames[i]] {
		i = (i + 1) % len(fieldNames)
	}
	c.used[fieldNames[i]] = true
	return fieldNames[i]
}

// often is true but for one of n choices.
func (c *chooser) often(n int) bool { return c.n(n) != n-1 }

// Words that meet each other, generated identifiers, imports and keywords.
var (
	scriptNames = []string{"lock", "a", "a_b", "ab", "script", "scripts", "time", "errors", "redis", "option", "lock_code", "ttl",
		"type", "new_scripts", "embed", "redisgen", "optional", "test", "id", "s", "maybe", "infos", "load", "with", "x_linux"}
	fieldNames = []string{"a", "b", "c", "id", "a_1", "time", "strconv", "math", "params", "keys", "args", "err", "ctx",
		"now", "s", "t", "r", "reply", "result", "size", "value", "code", "type", "func", "range", "user_id", "errors", "string",
		"len", "nil", "command", "recorder", "scripts", "got", "test", "source", "text", "x_", "x__y", "sha", "utf8_2", "a1"}
	docs = []string{"", " # a description", " # - a list", " # Deprecated: no", " #   1. spaces  inside", " # */ /* // # \"",
		" # +build ignore", " # go:build ignore", " # %s %d", " # ends in a dot.", " # [link]: x", " # # heading", " # \\"}
	docLines = []string{"Does it.", "  indented", "- item", "1. one", "# Heading", "", "\ttab", "Deprecated: gone", "+build x",
		"go:embed x", "a https://x.y/z", "[Link]: https://x.y", "*/", "nolint", "  - deeper", "", "Copyright", "* star", "line x:1"}
	integers = []string{"1", "0", "-1", "2", "3", "5", "9223372036854775807", "-9223372036854775808", "007", "-0", "+1",
		"99999999999999999999", `"1"`}
	quoted = []string{`"A"`, `"B"`, `""`, `"5"`, `"08"`, `"-0"`, `"+1"`, `"\n"`, `"\xff"`, `"{"`, `"a\"b\\"`, `"1e3"`, `"NaN"`,
		`"inf"`, `"18446744073709551615"`, `"true"`, `"nil"`, `"é"`, `" "`, `"0.5"`, `"2.5"`, `"x"`, `"xx"`, `"0x10"`, `"1_0"`, `"0b1"`}
	// Limits that most likely fit, then those that do not, of numbers, lengths and durations.
	numbers   = []string{"0", "1", "5", "64", "-1", "-5", "9223372036854775807", "-9223372036854775808", "1e3", "0.5", "-0", "1e400", "1e22", "1e-400", "99999999999999999999"}
	lengths   = []string{"1", "2", "64", "0", "70000", "2147483647", "2147483648"}
	durations = []string{"1s", "1h", "0s", "-1s", "1ms", "1500us", "1ns", "2540400h10m10.000000001s", "-2540400h10m10.000000001s", "1.5s", "0", "5"}

	kinds     = []string{"string", "hash", "zset", "any", "prefix", "sting", "[]string"}
	templates = []string{`"k:{%s}"`, `"k:{%s}:%s"`, `"%s"`, `"{x}"`, `"k"`, `"%s:{%s}"`, `"k:\n{%s}"`, `"\"{%s}\""`, `"\\{%s}"`,
		`"é{%s}"`, `"{a%sb}%s"`, "\"k:{%s}`\"", `"\xff{%s}"`, `"*/{%s}"`, `"{%s%s}"`, `""`, `"k:{}"`}
	units = []string{"s", "ms", "us", "ns", "f"}
)

// literal is one that no other part of the same set has, but in a wild header.
func (c *chooser) literal(words []string, taken map[string]bool) string {
	fine := len(words)
	if words[0] == "1" {
		fine = 8
	}
	word := c.some(fine, words)
	for try := 0; !c.wild && taken[word] && try < fine; try++ {
		word = words[try]
	}
	taken[word] = true
	return word
}

// argType returns a type, and limits for it.
func (c *chooser) argType() (text string, limits []string) {
	switch c.n(12) {
	case 0:
		return "string", lengths
	case 1:
		return "int", numbers[:9]
	case 2:
		return "uint", []string{"0", "1", "64", "18446744073709551615", "9223372036854775808", "-1"}
	case 3:
		return "bytes", lengths
	case 4:
		return "index", numbers[:9]
	case 5:
		return "float", numbers
	case 6:
		return c.of("bool", "bool(truefalse)", `bool("yes","no")`, `bool(2,3)`, `bool("","0")`), nil
	case 7, 8:
		return "duration(" + c.of(units...) + ")", durations
	case 9:
		return "time(" + c.of(units...) + ")", nil
	case 10:
		return c.some(1, []string{"now(ms)", "void", "code", "json", "stream", "[]string", "any", "{a int}", `const "x"`, "bool(nil)", `bool("a","a")`}), nil
	}
	return "enum " + c.some(1, []string{"e1", "e2", "state", "code"}), nil
}

// optional makes some types optional. bare says whether one without a literal may stand here.
func (c *chooser) optional(text string, bare bool) string {
	if strings.HasPrefix(text, "now") && !c.wild {
		return text
	}
	switch c.n(4) {
	case 1:
		if bare || c.wild {
			return text + "?"
		}
	case 2:
		return text + "?(" + c.of(append(quoted, integers[:8]...)...) + ")"
	}
	return text
}

func (c *chooser) key() string {
	text := "-- @key " + c.name() + " " + c.some(5, kinds)
	if c.often(4) {
		template := c.some(15, templates)
		for strings.Contains(template, "%s") {
			template = strings.Replace(template, "%s", "<"+c.name()+">", 1)
		}
		text += " " + template
	}
	return text + c.some(3, []string{"", " ttl=required", " bound=5", " min=1"}) + c.of(docs...)
}

func (c *chooser) arg(bare bool) string {
	text, limits := c.argType()
	secret := ""
	if text == "string" || text == "bytes" || c.wild {
		secret = c.of("", "", " secret")
	}
	text = "-- @arg " + c.name() + " " + c.optional(text, bare)
	for _, option := range []string{" min=", " max="} {
		if limits != nil && c.n(3) == 1 {
			text += option + c.some(max(len(limits)-2, 1), limits)
		}
	}
	return text + secret + c.of(docs...)
}

func (c *chooser) enum(name string) string {
	literals, base := quoted, "string"
	if c.n(2) == 1 {
		literals, base = integers, "int"
	}
	text := "-- @enum " + name + " " + base
	taken := map[string]bool{}
	outer := c.used
	c.used = map[string]bool{}
	for range 1 + c.n(4) {
		text += "\n-- @value " + c.name() + " " + c.literal(literals, taken) + c.of(docs...)
	}
	c.used = outer
	return text
}

func (c *chooser) codes() string {
	c.used = map[string]bool{"result": true, "code": true, "string": true, "nil": true, "params": true, "keys": true, "sha": true}
	literals := append(append([]string{}, integers[:8]...), quoted...)
	taken := map[string]bool{}
	var lines []string
	for range 1 + c.n(4) {
		lines = append(lines, "-- @code "+c.literal(literals, taken)+" "+c.name()+c.of("", "", " error")+c.of(docs...))
	}
	return strings.Join(lines, "\n")
}

// field is a type of a reply.
func (c *chooser) field() string {
	text, _ := c.argType()
	if text == "now(ms)" && !c.wild {
		return c.of("bool(nil)", "bool(ok)")
	}
	return c.optional(text, true)
}

func (c *chooser) result(hasCodes bool) string {
	if shape := c.n(3); shape == 0 {
		return ""
	} else if shape == 1 && (c.wild || !hasCodes) {
		return "-- @return " + c.some(1, []string{c.field(), "void", "code"})
	}
	var fields []string
	c.used = map[string]bool{"code": true}
	if hasCodes || c.wild && c.n(2) == 0 {
		fields = append(fields, "code")
	}
	for range 1 + c.n(4) {
		fields = append(fields, c.name()+" "+c.field())
	}
	return "-- @return {" + strings.Join(fields, ", ") + "}"
}

// header returns a random script with a header, and the name of its file.
func header(data []byte) (name, text string) {
	c := &chooser{data: data, used: map[string]bool{}}
	c.wild = !c.often(3)
	name = c.some(3, []string{"x.lua", "lock.lua", "a b.lua", "My-Script.lua", "%d.lua"})
	var lines []string
	for range c.n(4) {
		lines = append(lines, "-- "+c.of(docLines...))
	}
	lines = append(lines, "-- @script "+c.some(20, scriptNames), "-- @version "+c.of("1.0.0", "2026-07-11.1"))
	lines = append(lines, c.of("", "-- @owner a\"b % \\ team", "-- @readonly", "-- @idempotent", "-- @deprecated use `other`.", "-- @since valkey 8.0"))
	lines = append(lines, c.enum("e1"))
	for range c.n(2) {
		lines = append(lines, c.enum(c.some(2, []string{"e2", "state", "e1", "code", "params", "values", "script"})))
	}
	for range c.n(4) {
		lines = append(lines, c.key())
	}
	count := c.n(5)
	for i := range count {
		lines = append(lines, c.arg(i == count-1))
	}
	hasCodes := c.n(2) == 1
	if hasCodes {
		lines = append(lines, c.codes())
	}
	for range c.n(3) {
		lines = append(lines, "-- @error "+c.some(3, []string{"LOCKED", "A1_", "X", "ERR"})+" "+c.name()+c.of(docs...))
	}
	lines = append(lines, c.result(hasCodes))
	for _, line := range lines {
		if line != "" {
			text += line + "\n"
		}
	}
	return name, text + "\nreturn {1}\n"
}
