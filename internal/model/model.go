// Package model is what headers mean: every Go name, type, position on the wire and layout of a generated package,
// decided once. Emitters only spell it out. What can't be generated is a finding here, never a surprise there.
package model

import (
	"time"

	"github.com/redisgen/redisgen/internal/bundle"
)

// Package is one Go package to generate.
type Package struct {
	Name    string    // the Go package name
	Scripts []*Script // sorted by name
}

// Script is one script.
type Script struct {
	Name   string // as in the header: sliding_window
	GoName string // SlidingWindow
	File   string // base name of the source: sliding_window.lua

	Doc              []string // lines of the doc comment
	Version          string
	Owner            string
	Deprecated       string
	ReadOnly         bool
	Idempotent       bool // also set by ReadOnly
	IdempotentReason string
	Timeout          time.Duration // of one call; 0 for none
	Since            []Since       // at least one

	Bundle *bundle.Bundle

	Params []*Param // the fields of the Go parameters, in order
	Keys   []*Key   // in the order of KEYS
	Args   []*Arg   // in the order of ARGV

	Enums  []*Enum
	Codes  []*Code
	Errors []*Error
	Result Result
}

// HasClock reports whether an argument is filled from the clock.
func (s *Script) HasClock() bool {
	for _, a := range s.Args {
		if a.Type.Kind == Now {
			return true
		}
	}
	return false
}

// Since is the oldest version of a server that a script runs on.
type Since struct{ Server, Version string }

// Param is a field of the Go parameters: a parameter of key templates, a whole key, or an argument.
type Param struct {
	Name     string // as in the header
	GoName   string
	Type     Type
	Optional bool // a pointer, nil for absent
	Secret   bool
	Doc      string
	InTag    bool // it stands inside or before a hash tag, so that it decides the hash slot
}

// Key is an element of KEYS.
type Key struct {
	Name     string
	GoName   string // the field of the Go keys
	Kind     string
	Template string // as written; "" for a key that is passed whole
	Parts    []Part // of the template; one parameter for a key that is passed whole
	TTL      string // required, external, none, or ""
	Bound    string
	Doc      string
}

// Part is a piece of a key: literal text, or a parameter.
type Part struct {
	Text  string
	Param *Param
}

// Arg is an element of ARGV.
type Arg struct {
	Name     string
	Type     Type
	Param    *Param // nil where the generated code fills it: now()
	Optional bool
	Absent   *string // what is sent for an absent one; nil: it is left out
	Min, Max *Limit
	Secret   bool
	Doc      string
}

// Limit is the value of min= or max=. Which field counts follows from the type: Int for int, index and the bytes of a
// string, Uint, Float, Duration.
type Limit struct {
	Text     string // as written
	Int      int64
	Uint     uint64
	Float    float64
	Duration time.Duration
	Idle     bool // no value of the Go type is beyond it
}

// Kind is the sort of a type.
type Kind uint8

// The kinds of types.
const (
	String Kind = iota
	Bytes
	Int
	Uint
	Index
	Float
	Bool     // two literals, Yes and No
	BoolNil  // Yes or nil
	Duration // an integer of Unit, or seconds in plain decimal
	Time
	Now // filled from the clock
	EnumOf
	CodeOf // the result code
)

// Type is a scalar type.
type Type struct {
	Kind    Kind
	Text    string // as in the header, normalised
	Yes, No string
	Unit    time.Duration // of Duration, Time, Now; 0 for seconds in plain decimal
	Enum    *Enum
}

// IsText reports whether a value is text, whose min and max are lengths in bytes.
func (t Type) IsText() bool { return t.Kind == String || t.Kind == Bytes }

// Enum is a closed set of values on the wire.
type Enum struct {
	Name   string
	GoName string // with the script's name before it
	IsInt  bool
	Values []EnumValue
	Doc    string
}

// EnumValue is one value of an Enum.
type EnumValue struct {
	Name, GoName string
	Literal      string
	Doc          string
}

// Code is a result code.
type Code struct {
	Name, GoName string // GoName of the constant
	Literal      string
	IsInt        bool
	IsError      bool
	ErrName      string // the sentinel of an error code
	Doc          string
}

// Error is an error that the script raises.
type Error struct {
	Word string
	Name string
	Var  string // the Go sentinel
	Doc  string
}

// Shape is how a result looks in Go.
type Shape uint8

// The shapes of a result.
const (
	Void   Shape = iota // error alone
	Scalar              // the value of Fields[0]
	Struct              // a struct of Fields, from an array
	Bare                // a struct of the code alone, from a bare code or an array of just it
)

// Result is what a call returns.
type Result struct {
	Shape  Shape
	Text   string // the type as in the header
	Fields []*ResultField
}

// Required returns the number of elements that a reply has at least: absent ones at its end may be missing.
func (r *Result) Required() int {
	n := len(r.Fields)
	for n > 0 && r.Fields[n-1].Optional && r.Fields[n-1].Absent == nil {
		n--
	}
	return n
}

// ResultField is one element of a result.
type ResultField struct {
	Name, GoName string
	Type         Type
	Optional     bool // a pointer, nil for absent
	Absent       *string
}
