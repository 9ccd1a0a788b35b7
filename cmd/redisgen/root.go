package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

const rootLong = `redisgen reads the header of a Redis Lua script (its keys, typed arguments, results and errors)
and generates a typed Go package on go-redis from it.

A script is a .lua file with a tag such as "-- @key" in the comments at its top.`

// rootCommand is the table of contents of the command line.
func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "redisgen",
		Short:         "Typed Go packages from Redis Lua scripts",
		Long:          rootLong,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w\nRun '%s --help' for the flags", err, cmd.CommandPath())
	})
	root.AddCommand(generateCommand(), checkCommand(), versionCommand())
	return root
}
