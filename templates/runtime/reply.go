package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// replyReader reads the elements of a raw reply one after the other. It accepts the spellings of RESP2 and RESP3; what
// does not fit the wanted type is the reader's error, and after an error every read gives a zero value. The reply is
// complete and well formed: go-redis has walked it.
type replyReader struct {
	raw  []byte
	path []int // the number of elements read of each open array; the innermost is last
	last replyToken
	err  *ReplyError
}

// replyToken is one element of a reply.
type replyToken struct {
	kind byte   // the first byte of RESP: : + $ * _ , # ( = % ~ - !; _ for a nil of any spelling, $ for a verbatim string
	text []byte // the value of a scalar
	size int    // the number of elements of an aggregate; twice the number of entries of a map
}

// peek returns the next element and the bytes after it (for an aggregate, after its header).
func (r *replyReader) peek() (replyToken, []byte) {
	rest := r.raw
	for {
		line, after, found := bytes.Cut(rest, []byte("\r\n"))
		if !found || len(line) == 0 {
			return replyToken{}, nil
		}
		t := replyToken{kind: line[0], text: line[1:]}
		switch t.kind {
		case '$', '=', '!':
			size, err := strconv.Atoi(string(t.text))
			if size < 0 && err == nil {
				return replyToken{kind: '_'}, after
			}
			if err != nil || size > len(after)-2 {
				return replyToken{}, nil
			}
			t.text, after = after[:size], after[size+2:]
			if t.kind == '=' && size >= 4 { // "txt:"
				t.kind, t.text = '$', t.text[4:]
			}
		case '*', '%', '~', '>', '|':
			size, err := strconv.Atoi(string(t.text))
			if err != nil {
				return replyToken{}, nil
			}
			if size < 0 {
				return replyToken{kind: '_'}, after
			}
			if t.kind == '%' || t.kind == '|' {
				size *= 2
			}
			t.text, t.size = nil, size
		}
		if t.kind != '|' {
			return t, after
		}
		inner := replyReader{raw: after} // attributes say something about the element after them: pass them over
		for range t.size {
			inner.skip()
		}
		rest = inner.raw
	}
}

// take reads the next element.
func (r *replyReader) take() replyToken {
	t, rest := r.peek()
	r.raw = rest
	if n := len(r.path); n > 0 {
		r.path[n-1]++
	}
	r.last = t
	return t
}

// skip reads the next element and all that is in it.
func (r *replyReader) skip() {
	for left := 1; left > 0 && len(r.raw) > 0; left-- {
		left += r.take().size
	}
}

// fail keeps the first mismatch: the element that was taken last is not what was wanted.
func (r *replyReader) fail(want string, got replyToken) {
	if r.err != nil {
		return
	}
	path := "reply"
	for _, n := range r.path {
		path += "[" + strconv.Itoa(n-1) + "]"
	}
	r.err = &ReplyError{Path: path, Want: want, Got: got.String()}
	r.raw = nil
}

// String names the sort of an element, never its value; of an error the first word, which is a class.
func (t replyToken) String() string {
	switch t.kind {
	case ':':
		return "integer"
	case '$':
		return "string"
	case '+':
		return "status"
	case '_':
		return "nil"
	case ',':
		return "double"
	case '#':
		return "boolean"
	case '(':
		return "big number"
	case '*':
		return "array of " + strconv.Itoa(t.size)
	case '~':
		return "set of " + strconv.Itoa(t.size)
	case '%':
		return "map of " + strconv.Itoa(t.size/2)
	case '-', '!':
		return strings.TrimSpace("error " + firstWord(string(t.text)))
	}
	return "nothing"
}

// isText reports whether the element is a string or a status.
func (t replyToken) isText() bool { return t.kind == '$' || t.kind == '+' }

// array opens an array of least to most elements and returns how many it has.
func (r *replyReader) array(least, most int) int {
	t := r.take()
	if (t.kind == '*' || t.kind == '~') && t.size >= least && t.size <= most {
		r.path = append(r.path, 0)
		return t.size
	}
	want := "array of " + strconv.Itoa(least)
	if most != least {
		want += " to " + strconv.Itoa(most)
	}
	r.fail(want, t)
	return 0
}

// bare opens an array of one element, if the reply is one: a result code may come alone or in an array of just it.
func (r *replyReader) bare() {
	if t, _ := r.peek(); t.kind == '*' && t.size == 1 {
		r.array(1, 1)
	}
}

// null takes a nil, and reports whether the next element was one.
func (r *replyReader) null() bool {
	if t, _ := r.peek(); t.kind != '_' {
		return false
	}
	r.take()
	return true
}

// absent takes a nil or the literal that stands for a missing value, and reports whether the next element was one.
func (r *replyReader) absent(literal string) bool {
	t, _ := r.peek()
	if t.kind != '_' && (!t.isText() && t.kind != ':' && t.kind != ',' || string(t.text) != literal) {
		return false
	}
	r.take()
	return true
}

// string reads a string or a status.
func (r *replyReader) string() string { return string(r.bytes()) }

// bytes reads a string or a status. The result shares memory with the reply, which belongs to this call alone.
func (r *replyReader) bytes() []byte {
	t := r.take()
	if !t.isText() {
		r.fail("string", t)
		return nil
	}
	return t.text
}

// integer reads an integer or its decimal text, from least to most.
func (r *replyReader) integer(want string, least, most int64) (n int64, ok bool) {
	t := r.take()
	if t.isText() || t.kind == ':' {
		n, err := strconv.ParseInt(string(t.text), 10, 64)
		if err == nil && t.text[0] != '+' && n >= least && n <= most {
			return n, true
		}
	}
	r.fail(want, t)
	return 0, false
}

// int reads an integer.
func (r *replyReader) int() int64 {
	n, _ := r.integer("integer", math.MinInt64, math.MaxInt64)
	return n
}

// uint reads an integer that is not negative, or its decimal text.
func (r *replyReader) uint() uint64 {
	t := r.take()
	if t.isText() || t.kind == ':' {
		if n, err := strconv.ParseUint(string(t.text), 10, 64); err == nil {
			return n
		}
	}
	r.fail("integer that is not negative", t)
	return 0
}

// index reads a position counted from 1 and returns it counted from 0.
func (r *replyReader) index() int {
	n, ok := r.integer("index, counted from 1", 1, math.MaxInt)
	if !ok {
		return 0
	}
	return int(n - 1)
}

// float reads a double, an integer, or the text of a number as Redis and Lua write it.
func (r *replyReader) float() float64 {
	t := r.take()
	if t.isText() || t.kind == ',' || t.kind == ':' {
		if f, ok := parseFloat(string(t.text)); ok {
			return f
		}
	}
	r.fail("number", t)
	return 0
}

// parseFloat is strconv.ParseFloat without the spellings that only Go knows.
func parseFloat(text string) (float64, bool) {
	switch strings.ToLower(text) {
	case "inf", "+inf":
		return math.Inf(1), true
	case "-inf":
		return math.Inf(-1), true
	case "nan", "-nan":
		return math.NaN(), true
	}
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// bool reads one of two literals, which may be integers; 1 and 0 also as booleans.
func (r *replyReader) bool(yes, no string) bool {
	t := r.take()
	text := string(t.text)
	switch {
	case t.kind == '#' && yes == "1":
		return text == "t"
	case !t.isText() && t.kind != ':':
	case text == yes:
		return true
	case text == no:
		return false
	}
	r.fail(yes+" or "+no, t)
	return false
}

// isSet reads a literal or nil: Lua's true and false arrive as 1 and nil.
func (r *replyReader) isSet(literal string) bool {
	t := r.take()
	switch {
	case t.kind == '_':
		return false
	case t.kind == '#' && literal == "1":
		return string(t.text) == "t"
	case (t.isText() || t.kind == ':') && string(t.text) == literal:
		return true
	}
	r.fail(literal+" or nil", t)
	return false
}

// duration reads an integer of the unit.
func (r *replyReader) duration(unit time.Duration) time.Duration {
	n, _ := r.integer("integer that a time.Duration can hold", math.MinInt64/int64(unit), math.MaxInt64/int64(unit))
	return time.Duration(n) * unit
}

// seconds reads seconds in plain decimal with at most nine digits after the point.
func (r *replyReader) seconds() time.Duration {
	t, _ := r.peek()
	whole, nanos, ok := r.decimal()
	const most = math.MaxInt64 / int64(time.Second)
	d := time.Duration(whole)*time.Second + time.Duration(nanos)
	if ok && (whole > most || whole < -most || whole > 0 && d < 0 || whole < 0 && d > 0) {
		r.fail("seconds that a time.Duration can hold", t)
		return 0
	}
	return d
}

// time reads a unix time, an integer of the unit.
func (r *replyReader) time(unit time.Duration) time.Time {
	n, ok := r.integer("unix time", math.MinInt64, math.MaxInt64)
	if !ok {
		return time.Time{}
	}
	perSecond := int64(time.Second / unit)
	return time.Unix(n/perSecond, n%perSecond*int64(unit))
}

// unixSeconds reads a unix time in seconds in plain decimal with at most nine digits after the point.
func (r *replyReader) unixSeconds() time.Time {
	whole, nanos, ok := r.decimal()
	if !ok {
		return time.Time{}
	}
	return time.Unix(whole, nanos)
}

// decimal reads a plain decimal number, never through a float64: the part before the point, and what comes after it in
// billionths. Both have the sign of the number.
func (r *replyReader) decimal() (whole, billionths int64, ok bool) {
	t := r.take()
	if t.isText() || t.kind == ':' || t.kind == ',' {
		digits, negative := strings.CutPrefix(string(t.text), "-")
		before, after, point := strings.Cut(digits, ".")
		w, errWhole := strconv.ParseUint(before, 10, 62)
		f, errFraction := strconv.ParseUint((after + "000000000")[:9], 10, 62)
		if errWhole == nil && errFraction == nil && len(after) <= 9 && (!point || after != "") {
			whole, billionths = int64(w), int64(f)
			if negative {
				whole, billionths = -whole, -billionths
			}
			return whole, billionths, true
		}
	}
	r.fail("seconds in plain decimal, at most nine digits after the point", t)
	return 0, 0, false
}

// literal reads a string, a status or an integer as text, for comparing it with literals.
func (r *replyReader) literal(want string) string {
	t := r.take()
	if !t.isText() && t.kind != ':' {
		r.fail(want, t)
		return ""
	}
	return string(t.text)
}

// failLiteral says that the element read last is none of the literals.
func (r *replyReader) failLiteral(want string) { r.fail(want, r.last) }

// resultCode reads a result code: an integer as its decimal text, a string or a status as it is.
func (r *replyReader) resultCode() string {
	t := r.take()
	if !t.isText() && t.kind != ':' {
		r.fail("result code", t)
		return ""
	}
	return string(t.text)
}

// unknownCode is the error for a code that the header does not declare. A word or a number is named; anything else may
// be data that has no place in a log.
func unknownCode(text string) error {
	for _, c := range text {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') || len(text) > 32 {
			return &UnknownCodeError{Code: "of " + strconv.Itoa(len(text)) + " bytes"}
		}
	}
	return &UnknownCodeError{Code: strconv.Quote(text)}
}
