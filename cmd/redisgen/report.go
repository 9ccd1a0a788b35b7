package main

import (
	"io"
	"slices"

	"github.com/redisgen/redisgen/internal/diag"
)

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
