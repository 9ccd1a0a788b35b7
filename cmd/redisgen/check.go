package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/redisgen/redisgen/internal/drift"
)

func checkCommand() *cobra.Command {
	var flags commonFlags
	cmd := &cobra.Command{
		Use:   "check [folder | folder/...]",
		Short: "Compare the generated files with what generate would write",
		Long: `check fails when a generated file is missing, out of date, edited by hand, or left over from a script that is gone. It
names each and shows a diff from the file to what generate would write. It writes nothing.`,
		Example:           `  redisgen check ./...     in CI, for all packages of a module`,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(cmd, args, flags)
		},
	}
	flags.add(cmd)
	return cmd
}

func check(cmd *cobra.Command, args []string, flags commonFlags) error {
	loaded, result := loadAndReport(cmd, args, flags)
	if result != nil && !errors.Is(result, errFindings) {
		return result
	}
	for _, d := range loaded {
		for _, c := range d.changes {
			if c.State == drift.Foreign { // it is among the findings
				continue
			}
			result = errFindings
			if err := d.printDrift(cmd, c); err != nil {
				return err
			}
		}
	}
	return result
}

var driftsAs = map[drift.State]string{
	drift.Missing:  "missing",
	drift.Changed:  "out of date",
	drift.Edited:   "edited by hand",
	drift.Orphaned: "left over: nothing generates it any more",
}

// printDrift names a file and shows what generate would change in it.
func (d *folder) printDrift(cmd *cobra.Command, c drift.Change) error {
	name := d.name(c.Path)
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", name, driftsAs[c.State]); err != nil {
		return err
	}
	if c.State != drift.Changed && c.State != drift.Edited {
		return nil
	}
	old, err := os.ReadFile(filepath.Join(d.path, filepath.FromSlash(c.Path)))
	if err != nil {
		return plainPathError(err)
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), drift.UnifiedDiff(name, name+" (generated)", old, c.Data))
	return err
}
