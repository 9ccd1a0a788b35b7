package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// bad returns the error for a parameter that is refused before anything is sent.
func (s *scriptSource) bad(field, problem string) error {
	return s.fail("argument", &ArgumentError{Script: s.name, Field: field, Problem: problem})
}

// checkInTag refuses what would move a key to another hash slot than its template says: inside or before the hash tag
// a value must not be empty or hold a brace.
func (s *scriptSource) checkInTag(field, value string) error {
	switch {
	case value == "":
		return s.bad(field, "is empty, but decides the hash slot of a key")
	case strings.ContainsAny(value, "{}"):
		return s.bad(field, "holds a brace, but decides the hash slot of a key")
	}
	return nil
}

// checkTime refuses the zero time, which is a forgotten field, and what the unit can't hold in 64 bits.
func (s *scriptSource) checkTime(field string, t time.Time, unit time.Duration) error {
	most := math.MaxInt64/int64(time.Second/unit) - 1
	switch {
	case t.IsZero():
		return s.bad(field, "is the zero time")
	case t.Unix() > most || t.Unix() < -most:
		return s.bad(field, "is too far from 1970 for a count of "+unitName(unit))
	}
	return nil
}

// unitName spells a unit of time in messages.
func unitName(unit time.Duration) string {
	switch unit {
	case time.Second:
		return "seconds"
	case time.Millisecond:
		return "milliseconds"
	case time.Microsecond:
		return "microseconds"
	}
	return "nanoseconds"
}

// secretArg is an argument that hooks, logs and traces see as [secret].
type secretArg struct{ value string }

// MarshalBinary returns what is sent.
func (a *secretArg) MarshalBinary() ([]byte, error) { return []byte(a.value), nil }

// String hides the value.
func (a *secretArg) String() string { return "[secret]" }

// Format hides the value from all verbs: String alone leaves it to %d and %t.
func (a *secretArg) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(a.String())) }

// secret hides an argument that would be sent as text.
func secret(value string) *secretArg { return &secretArg{value: value} }

// boolArg returns one of two literals.
func boolArg(value bool, yes, no string) string {
	if value {
		return yes
	}
	return no
}

// floatArg returns the shortest text that gives the same number again.
func floatArg(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// durationArg returns d in the unit, rounded away from zero: what is positive never becomes 0, which would mean
// "no limit" or "at once" to most commands.
func durationArg(d, unit time.Duration) int64 {
	n := d / unit
	switch rest := d % unit; {
	case rest > 0:
		n++
	case rest < 0:
		n--
	}
	return int64(n)
}

// secondsArg returns d as seconds in plain decimal, exactly.
func secondsArg(d time.Duration) string {
	return decimalArg(int64(d/time.Second), int64(d%time.Second))
}

// timeArg returns the unix time of t in the unit, rounded down.
func timeArg(t time.Time, unit time.Duration) int64 {
	return t.Unix()*int64(time.Second/unit) + int64(t.Nanosecond())/int64(unit)
}

// unixSecondsArg returns the unix time of t as seconds in plain decimal, exactly.
func unixSecondsArg(t time.Time) string {
	seconds, nanos := t.Unix(), int64(t.Nanosecond())
	if seconds < 0 && nanos > 0 { // -0.25 is -1 s and 0.75 s in Go
		seconds, nanos = seconds+1, nanos-int64(time.Second)
	}
	return decimalArg(seconds, nanos)
}

// decimalArg writes whole and billionths, which have the same sign, as one number.
func decimalArg(whole, billionths int64) string {
	sign := ""
	if whole < 0 || billionths < 0 {
		sign, whole, billionths = "-", -whole, -billionths
	}
	text := sign + strconv.FormatUint(uint64(whole), 10)
	if billionths == 0 {
		return text
	}
	fraction := strconv.FormatInt(int64(time.Second)+billionths, 10)[1:]
	return text + "." + strings.TrimRight(fraction, "0")
}
