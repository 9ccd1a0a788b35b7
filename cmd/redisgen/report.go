package main

import (
	"fmt"
	"go/token"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/redisgen/redisgen/internal/diag"
)

// commonFlags are those of generate and check.
type commonFlags struct {
	packageName string
	verbose     bool
}

func (f *commonFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.packageName, "package", "", "the Go package `name`; by default that of the Go files in the folder, or the folder's own")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "name what is written and what is not a script, and show infos")
	if err := cmd.RegisterFlagCompletionFunc("package", cobra.NoFileCompletions); err != nil {
		panic(err) // the flag is defined above
	}
}

// loadAndReport loads the folders and shows what there is to say about them. After errors it returns errFindings with
// what it loaded.
func loadAndReport(cmd *cobra.Command, args []string, flags commonFlags) ([]*folder, error) {
	if cmd.Flags().Changed("package") && !isPackageName(flags.packageName) {
		return nil, fmt.Errorf("--package: %q is no name of a Go package", flags.packageName)
	}
	var sink diag.Sink
	loaded, err := loadAll(args, settings{packageName: flags.packageName}, &sink)
	if err != nil {
		return nil, err
	}
	w := cmd.ErrOrStderr()
	ignored, idle := 0, true
	for _, d := range loaded {
		ignored, idle = ignored+len(d.ignored), idle && d.idle()
		for _, name := range d.ignored {
			if flags.verbose {
				fmt.Fprintf(w, "%s: no script of redisgen: it has no tag\n", name)
			}
		}
	}
	if idle {
		reportIdle(w, ignored)
	}
	return loaded, report(w, &sink, flags.verbose)
}

// reportIdle says why nothing happens, which is seldom what was meant.
func reportIdle(w io.Writer, ignored int) {
	if ignored > 0 {
		fmt.Fprintf(w, "redisgen: no scripts: none of the %d .lua files has a tag such as \"-- @key\" in the comments at its top\n", ignored)
		return
	}
	fmt.Fprintln(w, "redisgen: no scripts: there is no .lua file")
}

func isPackageName(name string) bool { return token.IsIdentifier(name) && name != "_" }

// report shows the findings, infos only if asked for, and returns errFindings if one of them is an error.
func report(w io.Writer, sink *diag.Sink, infos bool) error {
	findings := slices.DeleteFunc(sink.Findings(), func(f *diag.Finding) bool {
		return f.Kind.Severity == diag.Info && !infos
	})
	if err := diag.WriteText(w, findings, false); err != nil {
		return err
	}
	if sink.Errors() > 0 {
		return errFindings
	}
	return nil
}
