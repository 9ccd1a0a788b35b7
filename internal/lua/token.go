// Package lua reads Lua 5.1 as Redis compiles it. For now it is the scanner: tokens and comments, each with the bytes
// that it covers.
package lua

import "github.com/redisgen/redisgen/internal/diag"

// Kind is the sort of a token.
type Kind uint8

// The kinds of tokens. White space is no token: it is what lies between two spans.
const (
	EOF      Kind = iota
	Shebang       // the first line if it begins with "#!", without its line end
	Comment       // -- to the end of the line (line end not included), or --[[ … ]] of any level
	Name          // an identifier
	Keyword       // and break do else …
	Number        // 3, 0x10, 1e3
	String        // '…', "…" or [[…]] of any level
	Operator      // + .. == ( { …
	Invalid       // what is no token of Lua 5.1; a finding was reported
)

// NotLua51 is reported for text that the server's Lua can't read.
var NotLua51 = &diag.Kind{
	ID:       "RG045",
	Name:     "not-lua51-syntax",
	Severity: diag.Error,
	Summary:  "The body is not Lua 5.1 as Redis compiles it, so that the server refuses to load the script.",
}

// Kinds are the findings that this package reports.
var Kinds = []*diag.Kind{NotLua51}

// Token is one token of a file; its text is the text of its span. What is wrong but has a clear end, such as 1e or
// "\300", is one Invalid token; a comment that is never closed stays a Comment, so that the tags in it are still read.
type Token struct {
	Kind Kind
	diag.Span
}
