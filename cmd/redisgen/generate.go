package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/redisgen/redisgen/internal/drift"
)

func generateCommand() *cobra.Command {
	var flags commonFlags
	cmd := &cobra.Command{
		Use:   "generate [folder | folder/...]",
		Short: "Generate the Go packages of scripts",
		Long: `generate writes a Go package for each folder with scripts: the current one, or those named. "./..." means a folder and
all below it. With a mistake in any header it writes nothing at all, and shows every mistake.

Files that redisgen did not write are never overwritten. Files that are as they should be are not touched.`,
		Example: `  //go:generate go tool redisgen generate     in the Go file beside the scripts
  redisgen generate ./...                     all packages of a module
  redisgen generate -v internal/limits        one package, naming what is written`,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return generate(cmd, args, flags)
		},
	}
	flags.add(cmd)
	return cmd
}

// generate writes what differs. The findings of all folders come first: a mistake in one leaves all as they are.
func generate(cmd *cobra.Command, args []string, flags commonFlags) error {
	loaded, err := loadAndReport(cmd, args, flags)
	if err != nil {
		return err
	}
	for _, d := range loaded {
		if err := drift.Write(d.path, d.changes); err != nil {
			return err
		}
		if flags.verbose {
			for _, c := range d.changes {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", d.name(c.Path), writtenAs[c.State])
			}
		}
	}
	return nil
}

var writtenAs = map[drift.State]string{
	drift.Missing:  "written",
	drift.Changed:  "brought up to date",
	drift.Edited:   "brought up to date; it had been edited by hand",
	drift.Orphaned: "removed; nothing generates it any more",
}
