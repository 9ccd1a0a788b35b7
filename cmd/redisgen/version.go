package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"
)

const versionLine = "redisgen {{.Version}}\n"

// version returns the version of this redisgen as the Go toolchain recorded it: that of the module it was built from,
// also as a tool of another one, or "devel" for a work tree.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return versionOf(info.Main)
	}
	return devel
}

const devel = "devel"

func versionOf(m debug.Module) string {
	switch {
	case m.Replace != nil, m.Version == "", m.Version == "(devel)":
		return devel
	case m.Sum != "": // downloaded, so that the version says what it is
		return m.Version
	// The toolchain names builds of a work tree after the commit; contract.json would differ after each commit.
	case strings.HasSuffix(m.Version, "+dirty"), module.IsPseudoVersion(m.Version):
		return devel
	}
	return m.Version
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of redisgen",
		Example: "  redisgen version",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "redisgen %s\n", version())
			return err
		},
	}
}
