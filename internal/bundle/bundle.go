// Package bundle turns a script's source into what the server runs: comments stripped, LF line ends, a generated first
// line, and a table that leads from a line of the bundle back to the line that a person wrote.
package bundle

import "github.com/redisgen/redisgen/internal/diag"

// Bundle is what the server runs.
type Bundle struct {
	Text string // with LF line ends, ending in one
	SHA1 string // of Text, 40 lower-case hex digits: the script's name for EVALSHA

	// SHA256 is the digest of Text in hex, for people who audit what runs.
	SHA256 string

	// Lines leads from the lines of Text to the sources: a run covers the lines of Text from its own Line up to that
	// of the next run.
	Lines []Run
}

// Run is a stretch of lines of the bundle that stand one below the other in one source file, too.
type Run struct {
	Line   int        // the first line in the bundle, counted from 1
	File   *diag.File // the source
	Source int        // the line in the source that Line came from, counted from 1
}
