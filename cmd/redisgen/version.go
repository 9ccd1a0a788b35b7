package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"
)

// version returns the version of this redisgen as the Go toolchain recorded it: a tag for a released one, "devel" for
// one that was built from a work tree.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	const path = "github.com/redisgen/redisgen"
	if info.Main.Path == path {
		if info.Main.Version == "" || info.Main.Version == "(devel)" || module.IsPseudoVersion(strings.TrimSuffix(info.Main.Version, "+dirty")) {
			return "devel"
		}
		return info.Main.Version
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
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "redisgen %s\n", version())
			return err
		},
	}
}
