package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"
)

const versionLine = "redisgen {{.Version}}\n"

// version returns the version of this redisgen as the Go toolchain recorded it: a tag for a released one, "devel" for
// one that was built from a work tree.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	const path = "github.com/redisgen/redisgen"
	if info.Main.Path == path {
		v := info.Main.Version
		// The toolchain stamps builds of a work tree with the commit; contract.json would differ after each commit.
		if v == "" || v == "(devel)" || strings.HasSuffix(v, "+dirty") || module.IsPseudoVersion(v) {
			return "devel"
		}
		return v
	}
	for _, dep := range info.Deps { // built as a tool of another module
		if dep.Path == path && dep.Version != "" && dep.Replace == nil {
			return dep.Version
		}
	}
	return "devel"
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
