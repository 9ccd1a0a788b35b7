package gen

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/redisgen/redisgen/internal/model"
)

// sampleUnix is the time that samples show: 2023-11-14 22:13:20 UTC.
const sampleUnix = 1700000000

// sample is a value as Go spells it, as an argument on the wire, and as a reply.
type sample struct {
	value jen.Code
	wire  string
	reply string
}

// samples gives each parameter a value within its limits.
func (e *emitter) samples() map[*model.Param]sample {
	out := map[*model.Param]sample{}
	for i, p := range e.s.Params {
		var limits bounds
		var absent *string
		for _, a := range e.s.Args {
			if a.Param == p {
				limits, absent = bounds{a.Min, a.Max}, a.Absent
			}
		}
		out[p] = presentSample(p.Type, p.Name, i+1, limits, absent)
	}
	return out
}

// resultSample gives a field of the result a value.
func resultSample(f *model.ResultField) sample {
	return presentSample(f.Type, cmp.Or(f.Name, "value"), 2, bounds{}, f.Absent)
}

// presentSample is a sample that is not the literal for an absent value. Where limits are narrow the last attempts give
// both ends of what they leave.
func presentSample(t model.Type, name string, n int, limits bounds, absent *string) sample {
	x := sampleOf(t, name, n, limits)
	for i, other := range []int{n + 1, n - 1, math.MaxInt32, math.MinInt32} {
		switch {
		case absent == nil || x.wire != *absent:
			return x
		case t.Kind == model.Time:
			return sampleTime(t, sampleUnix+1)
		}
		x = sampleOf(t, "xyzw"[i:i+1]+name, other, limits)
	}
	return x
}

// bounds are the limits of a value, if there are any.
type bounds struct{ least, most *model.Limit }

// sampleOf returns a value of a type; n tells numbers apart.
func sampleOf(t model.Type, name string, n int, limits bounds) sample {
	least, most := limits.least, limits.most
	switch t.Kind {
	case model.String, model.Bytes:
		text := sampleText(name, least, most)
		value := jen.Code(jen.Lit(text))
		if t.Kind == model.Bytes {
			value = jen.Index().Byte().Call(jen.Lit(text))
		}
		return sample{value, text, bulk(text, false)}
	case model.Int:
		v := int64(n)
		if least != nil {
			v = max(v, least.Int)
		}
		if most != nil {
			v = min(v, most.Int)
		}
		return integer(jen.Op(strconv.FormatInt(v, 10)), v)
	case model.Uint:
		v := uint64(max(n, 0))
		if least != nil {
			v = max(v, least.Uint)
		}
		if most != nil {
			v = min(v, most.Uint)
		}
		text := strconv.FormatUint(v, 10)
		return sample{jen.Op(text), text, bulk(text, false)} // a reply integer may be too small for it
	case model.Index:
		v := int64(max(n, 0))
		if least != nil {
			v = max(v, least.Int)
		}
		if most != nil {
			v = min(v, most.Int)
		}
		return integer(jen.Lit(int(v)), v+1)
	case model.Float:
		return sampleFloat(float64(n)+0.5, least, most)
	case model.Bool:
		return sample{jen.True(), t.Yes, bulk(t.Yes, false)}
	case model.BoolNil:
		return sample{jen.True(), t.Yes, bulk(t.Yes, t.Yes == "1")}
	case model.EnumOf:
		v := t.Enum.Values[0]
		return sample{jen.Id(v.GoName), v.Literal, bulk(v.Literal, t.Enum.IsInt)}
	case model.Duration:
		return sampleDuration(t, n, least, most)
	}
	return sampleTime(t, sampleUnix)
}

func integer(value jen.Code, wire int64) sample {
	text := strconv.FormatInt(wire, 10)
	return sample{value, text, bulk(text, true)}
}

func sampleText(name string, least, most *model.Limit) string {
	text := name
	if least != nil && int64(len(text)) < least.Int {
		text += strings.Repeat("x", int(least.Int)-len(text))
	}
	if most != nil && int64(len(text)) > most.Int {
		text = text[:most.Int]
	}
	return text
}

func sampleFloat(v float64, least, most *model.Limit) sample {
	if least != nil {
		v = math.Max(v, least.Float)
	}
	if most != nil {
		v = math.Min(v, most.Float)
	}
	text := strconv.FormatFloat(v, 'g', -1, 64)
	return sample{jen.Op(text), text, bulk(text, false)}
}

// sampleDuration is a whole number of the unit where the limits leave room for one.
func sampleDuration(t model.Type, n int, least, most *model.Limit) sample {
	unit := t.Unit
	if unit == 0 {
		unit = time.Second
	}
	d := time.Duration(n) * unit
	if least != nil {
		d = max(d, least.Duration)
	}
	if most != nil {
		d = min(d, most.Duration)
	}
	value := durationValue(d)
	if d == 0 { // a plain 0 has no type
		value = jen.Qual("time", "Duration").Call(jen.Lit(0))
	}
	if t.Unit == 0 {
		text := secondsText(d)
		return sample{value, text, bulk(text, false)}
	}
	units := int64(d / unit)
	if d%unit > 0 {
		units++
	}
	return integer(value, units)
}

// secondsText spells a duration as seconds in plain decimal, exactly.
func secondsText(d time.Duration) string {
	sign, n := "", uint64(d)
	if d < 0 {
		sign, n = "-", -n
	}
	text := fmt.Sprintf("%s%d.%09d", sign, n/uint64(time.Second), n%uint64(time.Second))
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func sampleTime(t model.Type, unix int) sample {
	value := jen.Qual("time", "Unix").Call(jen.Lit(unix), jen.Lit(0))
	if t.Unit == 0 {
		text := strconv.Itoa(unix)
		return sample{value, text, bulk(text, false)}
	}
	return integer(value, int64(unix)*int64(time.Second/t.Unit))
}
