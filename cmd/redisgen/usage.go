package main

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/redisgen/redisgen/internal/diag"
)

// noSuchCommand refuses arguments of a command that only has subcommands.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("%s has no command %q", cmd.CommandPath(), args[0])
	return withHelp(cmd, err, diag.Nearest(args[0], commandNames(cmd)))
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// noArguments refuses arguments of a command that has none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return withHelp(cmd, fmt.Errorf("%s takes no argument, but got %q", cmd.CommandPath(), args[0]), "")
}

var flagInUsage = regexp.MustCompile(`(?m)^ *(?:-., )?--([a-z-]+)`)

// flagError says which flag may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	near := ""
	var named interface{ GetSpecifiedName() string }
	if errors.As(err, &named) && cmd.Flags().Lookup(named.GetSpecifiedName()) == nil {
		var names []string
		for _, m := range flagInUsage.FindAllStringSubmatch(cmd.Flags().FlagUsages(), -1) {
			names = append(names, m[1])
		}
		if near = diag.Nearest(named.GetSpecifiedName(), names); near != "" {
			near = "--" + near
		}
	}
	return withHelp(cmd, err, near)
}

// withHelp adds what the user can do about an error.
func withHelp(cmd *cobra.Command, err error, near string) error {
	if near != "" {
		return fmt.Errorf("%w: did you mean %s?\nrun '%s --help' for help", err, near, cmd.CommandPath())
	}
	return fmt.Errorf("%w\nrun '%s --help' for help", err, cmd.CommandPath())
}
