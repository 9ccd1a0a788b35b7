// Command redisgen generates typed Go packages from Redis Lua scripts whose headers say what they take and return.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// The exit codes of every subcommand.
const (
	exitClean    = 0
	exitFindings = 1 // mistakes in the user's files, or generated files that don't match
	exitFailure  = 2 // wrong usage, or the machine failed
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// errFindings ends a command that has shown its findings already.
var errFindings = errors.New("findings")

func run(args []string, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errFindings):
		return exitFindings
	}
	fmt.Fprintf(stderr, "redisgen: %v\n", err)
	return exitFailure
}
