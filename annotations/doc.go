// Package annotations reads the header of a Lua script: the comments above its first statement, in which tags say what
// the script takes and returns. It knows comments, not Redis: whether a type, a kind of key or an option makes sense
// where it stands is decided by what reads the tree.
//
// # Lines
//
// In EBNF, where quoted text stands for itself and blank is a space or a tab:
//
//	file      = [ "#!lua" … ] { comment } statements .
//	comment   = "--" line | "--[" { "=" } "[" line { line end line } "]" { "=" } "]" .
//	line      = tag line | continuation | remark .
//	tag line  = { blank } [ "*" { blank } ] "@" NAME [ blank operands ] [ blank "#" blank doc text ] .
//
// The star is for block comments. A line that stands at least two columns to the right of the @ above, and does not
// begin with an @ itself, goes on where the tag's last line ended, with one blank between. Columns are bytes, so a tab
// is one. Everything else is a remark; it ends a tag, as does a blank line. A line of three dashes is a remark.
//
// # Tags
//
//	operands  = "script" NAME | "version" VERSION | "owner" TEXT | "deprecated" TEXT | "idempotent" [ TEXT ]
//	          | "readonly" | "timeout" DURATION | "since" ( "redis" | "valkey" ) NUMBERS
//	          | "key" NAME [ "[]" ] WORD [ STRING ] { key option }
//	          | "arg" NAME type { arg option }
//	          | "enum" NAME ( "string" | "int" ) | "value" NAME literal
//	          | "code" ( literal | "int" | "string" | "array" | "nil" ) NAME [ "error" ] [ type ]
//	          | "error" ERRORWORD NAME | "return" type .
//	key option = "ttl=" ( "required" | "external" | "none" ) | "bound=" N | "min=" N | "max=" N
//	          | "absent=" STRING | "in=args" | "routing" .
//	arg option = "min=" limit | "max=" limit | "secret" | "in=keys" | "as" go type .
//	limit     = a decimal number | a duration of Go .
//
// # Types
//
//	type      = "[" [ N | "len" "(" NAME ")" ] "]" type | primary [ "?" [ "(" literal ")" ] ] .
//	primary   = "(" type ")" | record | go type
//	          | "string" | "bytes" | "int" | "uint" | "index" | "float" | "void" | "stream" | "any" | "code"
//	          | "bool" [ "(" ( "truefalse" | "nil" | "ok" | literal "," literal ) ")" ]
//	          | ( "duration" | "time" | "now" ) "(" ( "s" | "ms" | "us" | "ns" | "f" ) ")"
//	          | "enum" NAME | "const" literal | "count" "(" ( NAME | "KEYS" | "ARGV" ) ")"
//	          | "json" [ "(" type ")" ] | ( "msgpack" | "page" ) "(" type ")" | "map" "(" type "," type ")" .
//	record    = [ TYPENAME | "hash" | "rows" | "columns" ] "{" field { "," field } "}" .
//	field     = NAME [ STRING ] type | "code" .
//	go type   = [ STRING ] "." IDENTIFIER .
//
// # Words
//
//	NAME      = a…z { a…z | 0…9 | "_" } .
//	TYPENAME  = A…Z { A…Z | a…z | 0…9 } .
//	ERRORWORD = A…Z { A…Z | 0…9 | "_" } .
//	literal   = "0" | [ "-" ] 1…9 { 0…9 } | STRING .
//	STRING    = a string of Go in double quotes, on one line .
//	VERSION   = a semantic version | YYYY-MM-DD [ "." serial ] .
//	DURATION  = a positive Go duration: "250ms", "2s" .
//	NUMBERS   = N "." N [ "." N ] .
//	template  = { text | "<" NAME ">" } [ "{" … "}" … ] , in a STRING .
//
// # Decisions
//
// Where the language leaves it open:
//
//   - --@key without a blank is a tag. An @ before anything but a letter is prose, except before a blank and a tag that
//     exists, which is a slip and reported.
//   - A tag in a line comment is not continued in a block comment, nor the other way round.
//   - An empty line inside a block comment is a blank line, a lone star is not. The lines of the brackets never are.
//   - The doc comment is what stands above the first tag back to a blank line. Frames of dashes, lines for other tools
//     and redisgen: lines in it are left out. Blanks before its lines count, but not those that indent a whole block.
//   - A lone carriage return ends a line, as it does in Lua. No text of the tree holds a line end.
//   - A byte order mark does not hide the header, and a #!lua line that is not the first is one all the same; both have
//     a finding elsewhere.
//   - A quote that is not closed does not keep a # from beginning the doc text.
//   - Blanks may stand between the parts of a type, but not around the = of an option.
//   - A literal fits 64 bits and has one spelling: no plus, no leading zeros, no -0.
//   - Braces and angle brackets of a template count also when they are written as escapes, since the server sees the
//     key. A > alone is an error. The braces of the hash tag belong to the text outside it. The place of a parameter is
//     that of its name.
//   - @since may stand once for each server.
//   - Tags behind an @function start anew: what was there once may be there once again.
//   - Behind the first statement only tags that exist count, in comments that have a line for themselves, and not in a
//     block that a line with three dashes begins. Each of them makes the file ours.
//   - Control characters, marks that change the direction of text, and bytes that are not UTF-8 are errors in tags and
//     in the doc comment.
//
// A word that is missing or wrong has an empty text; its place is that of what is wrong, or of what it is missing
// behind. A type with a mistake in it is nil.
package annotations
