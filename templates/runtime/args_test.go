package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

var units = []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond}

// readerOf reads a value that was sent, echoed as a script would.
func readerOf(sent any) *replyReader {
	text := fmt.Sprint(sent)
	return &replyReader{raw: fmt.Appendf(nil, "$%d\r\n%s\r\n", len(text), text)}
}

// A duration comes back rounded away from zero by less than a unit; in plain decimal it comes back as it was.
func FuzzDurationArg(f *testing.F) {
	for _, d := range []time.Duration{0, 1, -1, time.Second, -1500 * time.Microsecond, time.Hour + 1, math.MaxInt64, math.MinInt64} {
		f.Add(int64(d))
	}
	f.Fuzz(func(t *testing.T, n int64) {
		d := time.Duration(n)
		for _, unit := range units {
			r := readerOf(durationArg(d, unit))
			got := r.duration(unit)
			if r.err != nil {
				if d.Abs() < math.MaxInt64-unit {
					t.Errorf("%d in %s: %v", d, unit, r.err)
				}
				continue
			}
			if more := got.Abs() - d.Abs(); more < 0 || more >= unit || d != 0 && (got > 0) != (d > 0) {
				t.Errorf("%d in %s: got %d", d, unit, got)
			}
		}
		r := readerOf(secondsArg(d))
		if got := r.seconds(); r.err != nil || got != d {
			t.Errorf("%d in seconds: got %d, %v", d, got, r.err)
		}
	})
}

// A time comes back rounded down by less than a unit; in plain decimal it comes back as it was. What a unit can't hold
// is refused.
func FuzzTimeArg(f *testing.F) {
	for _, at := range []time.Time{time.Unix(0, 0), time.Unix(-1, 1), time.Unix(1700000000, 999999999), time.Unix(-1, 999999999), time.Unix(1<<61, 0), time.Unix(-1<<61, 5)} {
		f.Add(at.Unix(), int64(at.Nanosecond()))
	}
	source := &scriptSource{name: "s"}
	f.Fuzz(func(t *testing.T, seconds, nanos int64) {
		at := time.Unix(seconds>>1, nanos%int64(time.Second)) // the time package itself overflows further out
		if at.IsZero() {
			return
		}
		for _, unit := range units {
			if err := source.checkTime("At", at, unit); err != nil {
				if unit >= time.Millisecond && at.Year() > -9999 && at.Year() < 9999 {
					t.Errorf("%v in %s: %v", at, unit, err)
				}
				continue
			}
			r := readerOf(timeArg(at, unit))
			got := r.time(unit)
			if rest := at.Sub(got); r.err != nil || rest < 0 || rest >= unit {
				t.Errorf("%v in %s: got %v, %v", at, unit, got, r.err)
			}
		}
		r := readerOf(unixSecondsArg(at))
		if got := r.unixSeconds(); r.err != nil || !got.Equal(at) {
			t.Errorf("%v in seconds: got %v, %v", at, got, r.err)
		}
	})
}

// A number comes back as it was, also after Redis has written it as a double of RESP3.
func FuzzFloatArg(f *testing.F) {
	for _, x := range []float64{0, math.Copysign(0, -1), 0.1, 1e21, -5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1)} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		if math.IsNaN(x) { // refused as an argument
			return
		}
		text := floatArg(x)
		for _, reply := range []string{fmt.Sprintf("$%d\r\n%s\r\n", len(text), text), fmt.Sprintf(",%.17g\r\n", x), "," + strings.TrimPrefix(text, "+") + "\r\n"} {
			r := replyReader{raw: []byte(reply)}
			if got := r.float(); r.err != nil || got != x {
				t.Errorf("%v as %q: got %v, %v", x, reply, got, r.err)
			}
		}
	})
}

func TestCheckTime(t *testing.T) {
	source := &scriptSource{name: "s"}
	for _, test := range []struct {
		at   time.Time
		unit time.Duration
		want string
	}{
		{time.Time{}, time.Second, "At is the zero time"},
		{time.Time{}.In(time.FixedZone("", 3600)), time.Second, "At is the zero time"},
		{time.Unix(0, 0), time.Nanosecond, ""},
		{time.Date(2262, 4, 11, 0, 0, 0, 0, time.UTC), time.Nanosecond, ""},
		{time.Date(2262, 4, 12, 0, 0, 0, 0, time.UTC), time.Nanosecond, "At is too far from 1970 for a count of nanoseconds"},
		{time.Date(1677, 9, 20, 0, 0, 0, 0, time.UTC), time.Nanosecond, "At is too far from 1970 for a count of nanoseconds"},
		{time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC), time.Microsecond, "At is too far from 1970 for a count of microseconds"},
		{time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC), time.Millisecond, ""},
	} {
		err := source.checkTime("At", test.at, test.unit)
		var argument *ArgumentError
		if (err == nil) != (test.want == "") || err != nil && (!errors.As(err, &argument) || argument.Error() != test.want) {
			t.Errorf("%v in %s: got %v, want %q", test.at, test.unit, err, test.want)
		}
	}
}

func TestCheckInTag(t *testing.T) {
	source := &scriptSource{name: "s"}
	for value, fine := range map[string]bool{"a": true, "a:b <c>\x00": true, "": false, "{": false, "}": false, "a}b": false} {
		if err := source.checkInTag("Tenant", value); (err == nil) != fine {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// However a secret is printed, it stays one; only go-redis, which asks for its binary form, gets it.
func TestSecret(t *testing.T) {
	arg := secret("hunter2")
	if sent, err := arg.MarshalBinary(); err != nil || string(sent) != "hunter2" {
		t.Errorf("sent %q, %v", sent, err)
	}
	args := []any{"evalsha", arg}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%o", "%U"} {
		for _, x := range []any{arg, args, struct{ A any }{arg}} {
			if text := fmt.Sprintf(verb, x); strings.Contains(text, "hunter2") || strings.Contains(strings.ToLower(text), fmt.Sprintf("%x", "hunter2")) {
				t.Errorf("%s prints %s", verb, text)
			}
		}
	}
	if text, err := json.Marshal(args); err != nil || strings.Contains(string(text), "hunter2") {
		t.Errorf("JSON holds %s, %v", text, err)
	}
}
