package runtime

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// Each type accepts its spellings in RESP2 and RESP3 and refuses everything else; a refusal names the place and the
// sorts, never the value.
func TestReplyScalars(t *testing.T) {
	read := map[string]func(r *replyReader) any{
		"string":       func(r *replyReader) any { return r.string() },
		"int":          func(r *replyReader) any { return r.int() },
		"uint":         func(r *replyReader) any { return r.uint() },
		"index":        func(r *replyReader) any { return r.index() },
		"float":        func(r *replyReader) any { return r.float() },
		"bool":         func(r *replyReader) any { return r.bool("1", "0") },
		"truefalse":    func(r *replyReader) any { return r.bool("true", "false") },
		"yesno":        func(r *replyReader) any { return r.bool("yes", "no") },
		"bool(2,3)":    func(r *replyReader) any { return r.bool("2", "3") },
		"bool(nil)":    func(r *replyReader) any { return r.isSet("1") },
		"bool(ok)":     func(r *replyReader) any { return r.isSet("OK") },
		"duration(ms)": func(r *replyReader) any { return r.duration(time.Millisecond) },
		"duration(s)":  func(r *replyReader) any { return r.duration(time.Second) },
		"duration(f)":  func(r *replyReader) any { return r.seconds() },
		"time(ms)":     func(r *replyReader) any { return r.time(time.Millisecond).UnixNano() },
		"time(s)":      func(r *replyReader) any { return r.time(time.Second).Unix() },
		"time(f)":      func(r *replyReader) any { return r.unixSeconds().UnixNano() },
	}
	for _, test := range []struct {
		typ, reply string
		want       any
	}{
		{"string", "$5\r\nhello\r\n", "hello"},
		{"string", "+FINE\r\n", "FINE"},
		{"string", "=7\r\ntxt:abc\r\n", "abc"},
		{"string", "$0\r\n\r\n", ""},
		{"string", "$4\r\n\x00\xff\r\n\r\n", "\x00\xff\r\n"},
		{"string", "|1\r\n+a\r\n*2\r\n:1\r\n:2\r\n$1\r\nx\r\n", "x"},
		{"string", ":1\r\n", "reply: expected string, got integer"},
		{"string", "$-1\r\n", "reply: expected string, got nil"},
		{"string", "_\r\n", "reply: expected string, got nil"},
		{"string", "*1\r\n$1\r\na\r\n", "reply: expected string, got array of 1"},
		{"string", "%1\r\n+a\r\n:1\r\n", "reply: expected string, got map of 1"},
		{"int", ":42\r\n", int64(42)},
		{"int", ":-9223372036854775808\r\n", int64(math.MinInt64)},
		{"int", "$2\r\n42\r\n", int64(42)},
		{"int", "+-7\r\n", int64(-7)},
		{"int", "$20\r\n-9223372036854775809\r\n", "reply: expected integer, got string"},
		{"int", "$3\r\n1.5\r\n", "reply: expected integer, got string"},
		{"int", "$2\r\n+5\r\n", "reply: expected integer, got string"},
		{"int", "$0\r\n\r\n", "reply: expected integer, got string"},
		{"int", ",1\r\n", "reply: expected integer, got double"},
		{"int", "#t\r\n", "reply: expected integer, got boolean"},
		{"int", "-OOM out of memory secret-key\r\n", "reply: expected integer, got error OOM"},
		{"int", "(123456789012345678901234567890\r\n", "reply: expected integer, got big number"},
		{"uint", ":0\r\n", uint64(0)},
		{"uint", "$20\r\n18446744073709551615\r\n", uint64(math.MaxUint64)},
		{"uint", ":-1\r\n", "reply: expected integer that is not negative, got integer"},
		{"index", ":1\r\n", 0},
		{"index", "$1\r\n3\r\n", 2},
		{"index", ":0\r\n", "reply: expected index, counted from 1, got integer"},
		{"float", "$3\r\n1.5\r\n", 1.5},
		{"float", ",3.1400000000000001\r\n", 3.14},
		{"float", ":3\r\n", 3.0},
		{"float", "$5\r\n1e+20\r\n", 1e20},
		{"float", ",inf\r\n", math.Inf(1)},
		{"float", "$4\r\n-inf\r\n", math.Inf(-1)},
		{"float", "$4\r\n0x10\r\n", "reply: expected number, got string"},
		{"float", "$3\r\n1_0\r\n", "reply: expected number, got string"},
		{"float", "$8\r\ninfinity\r\n", "reply: expected number, got string"},
		{"float", "$0\r\n\r\n", "reply: expected number, got string"},
		{"bool", ":1\r\n", true},
		{"bool", ":0\r\n", false},
		{"bool", "$1\r\n1\r\n", true},
		{"bool", "#t\r\n", true},
		{"bool", "#f\r\n", false},
		{"bool", ":2\r\n", "reply: expected 1 or 0, got integer"},
		{"bool", "$-1\r\n", "reply: expected 1 or 0, got nil"},
		{"bool", "$4\r\ntrue\r\n", "reply: expected 1 or 0, got string"},
		{"truefalse", "$4\r\ntrue\r\n", true},
		{"truefalse", "+false\r\n", false},
		{"truefalse", ":1\r\n", "reply: expected true or false, got integer"},
		{"truefalse", "#t\r\n", "reply: expected true or false, got boolean"},
		{"yesno", "$2\r\nno\r\n", false},
		{"bool(2,3)", ":2\r\n", true},
		{"bool(2,3)", "$1\r\n3\r\n", false},
		{"bool(nil)", ":1\r\n", true},
		{"bool(nil)", "$-1\r\n", false},
		{"bool(nil)", "_\r\n", false},
		{"bool(nil)", "*-1\r\n", false},
		{"bool(nil)", "#f\r\n", false},
		{"bool(nil)", ":0\r\n", "reply: expected 1 or nil, got integer"},
		{"bool(ok)", "+OK\r\n", true},
		{"bool(ok)", "$2\r\nOK\r\n", true},
		{"bool(ok)", "_\r\n", false},
		{"bool(ok)", "+QUEUED\r\n", "reply: expected OK or nil, got status"},
		{"duration(ms)", ":1500\r\n", 1500 * time.Millisecond},
		{"duration(ms)", "$4\r\n1500\r\n", 1500 * time.Millisecond},
		{"duration(ms)", ":-1\r\n", -time.Millisecond},
		{"duration(s)", ":9223372036854775807\r\n", "reply: expected integer that a time.Duration can hold, got integer"},
		{"duration(f)", "$3\r\n1.5\r\n", 1500 * time.Millisecond},
		{"duration(f)", ",0.000000001\r\n", time.Nanosecond},
		{"duration(f)", "$5\r\n-0.25\r\n", -250 * time.Millisecond},
		{"duration(f)", ":2\r\n", 2 * time.Second},
		{"duration(f)", "$12\r\n0.0000000001\r\n", "reply: expected seconds in plain decimal, at most nine digits after the point, got string"},
		{"duration(f)", "$4\r\n1e-3\r\n", "reply: expected seconds in plain decimal, at most nine digits after the point, got string"},
		{"duration(f)", "$2\r\n1.\r\n", "reply: expected seconds in plain decimal, at most nine digits after the point, got string"},
		{"duration(f)", "$11\r\n99999999999\r\n", "reply: expected seconds that a time.Duration can hold, got string"},
		{"time(ms)", ":1700000000123\r\n", int64(1700000000123000000)},
		{"time(ms)", ":-1\r\n", int64(-1000000)},
		{"time(s)", "$10\r\n1700000000\r\n", int64(1700000000)},
		{"time(s)", "$-1\r\n", "reply: expected unix time, got nil"},
		{"time(f)", "$14\r\n1700000000.125\r\n", int64(1700000000125000000)},
		{"time(f)", "$5\r\n-0.25\r\n", int64(-250000000)},
	} {
		r := replyReader{raw: []byte(test.reply)}
		var got any = read[test.typ](&r)
		if r.err != nil {
			got = r.err.Error()
		}
		if got != test.want {
			t.Errorf("%s of %q: got %v, want %v", test.typ, test.reply, got, test.want)
		}
		if r.err == nil && len(r.raw) != 0 {
			t.Errorf("%s of %q: %q was left over", test.typ, test.reply, r.raw)
		}
	}
}

func TestReplyArrays(t *testing.T) {
	tests := []struct {
		reply, want string
	}{
		{"*2\r\n:1\r\n$1\r\na\r\n", "1 a <nil>"},
		{"*2\r\n:1\r\n:2\r\n", "1  reply[1]: expected string, got integer"},
		{"*2\r\n-OOM nested\r\n$1\r\na\r\n", "0  reply[0]: expected integer, got error OOM"},
		{"*1\r\n:1\r\n", "0  reply: expected array of 2 to 3, got array of 1"},
		{"*4\r\n:1\r\n:1\r\n:1\r\n:1\r\n", "0  reply: expected array of 2 to 3, got array of 4"},
		{"*-1\r\n", "0  reply: expected array of 2 to 3, got nil"},
		{"~2\r\n:1\r\n$1\r\na\r\n", "1 a <nil>"},
		{"", "0  reply: expected array of 2 to 3, got nothing"},
	}
	for _, test := range tests {
		r := replyReader{raw: []byte(test.reply)}
		r.array(2, 3)
		got := fmt.Sprint(r.int(), " ", r.string())
		if r.err == nil {
			got += " <nil>"
		} else {
			got += " " + r.err.Error()
		}
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.reply, got, test.want)
		}
	}
}

func TestReplyAbsent(t *testing.T) {
	for reply, want := range map[string]bool{
		"$-1\r\n": true, "_\r\n": true, "*-1\r\n": true, ":-1\r\n": true, "$2\r\n-1\r\n": true, "+-1\r\n": true,
		":1\r\n": false, "$0\r\n\r\n": false, "*0\r\n": false, "#f\r\n": false,
	} {
		r := replyReader{raw: []byte(reply)}
		if got := r.absent("-1"); got != want {
			t.Errorf("%q is absent: got %v, want %v", reply, got, want)
		}
		if left := len(r.raw) > 0; left == want {
			t.Errorf("%q: an absent value is taken, another is not", reply)
		}
	}
}

func TestUnknownCode(t *testing.T) {
	for text, want := range map[string]string{
		"7": `unknown result code "7"`, "not-now": `unknown result code "not-now"`,
		"the password is x": "unknown result code of 17 bytes", "": `unknown result code ""`,
	} {
		if got := unknownCode(text).Error(); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Whatever bytes come, reading ends, does not panic, and never moves past them.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{":1\r\n", "*2\r\n$1\r\na\r\n_\r\n", "%1\r\n+a\r\n,1.5\r\n", "|1\r\n+a\r\n:1\r\n#t\r\n", "$5\r\nab", "*9999999\r\n", "$-2\r\n", "!5\r\nERR x\r\n", "=3\r\nabc\r\n"} {
		f.Add([]byte(seed), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	}
	f.Fuzz(func(t *testing.T, raw, reads []byte) {
		r := replyReader{raw: raw}
		for _, read := range reads {
			before := len(r.raw)
			switch read % 14 {
			case 0:
				r.bytes()
			case 1:
				r.int()
			case 2:
				r.uint()
			case 3:
				if i := r.index(); i < 0 {
					t.Errorf("index %d", i)
				}
			case 4:
				r.float()
			case 5:
				r.bool("1", "0")
			case 6:
				r.isSet("OK")
			case 7:
				r.duration(time.Second)
			case 8:
				r.seconds()
			case 9:
				r.unixSeconds()
			case 10:
				r.array(0, 3)
			case 11:
				r.absent("-1")
			case 12:
				r.skip()
			case 13:
				r.bare()
			}
			if len(r.raw) > before {
				t.Fatalf("reading made %d bytes of %d", len(r.raw), before)
			}
		}
	})
}
