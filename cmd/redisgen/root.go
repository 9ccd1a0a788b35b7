package main

import (
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
		Example:       "  redisgen generate ./...",
		Args:          noSuchCommand,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          showHelp,
	}
	root.SetVersionTemplate(versionLine)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(generateCommand(), checkCommand(), versionCommand())
	root.SetHelpCommand(helpCommand(root))
	addCompletion(root)
	return root
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// helpCommand replaces the one of the library, which takes a command that does not exist for a success.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Show the help of a command",
		Example: "  redisgen help generate",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if err := noSuchCommand(cmd, rest); err != nil {
				return err
			}
			cmd.InitDefaultHelpFlag() // else the help of help lacks what --help shows
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
	}
}

// addCompletion adds the library's command that prints completions for shells.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	cmd.Short = "Print the completions for a shell"
	cmd.Example = "  source <(redisgen completion bash)"
	cmd.Args = noSuchCommand
	cmd.RunE = showHelp
}
