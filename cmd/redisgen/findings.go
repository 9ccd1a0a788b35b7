package main

import "github.com/redisgen/redisgen/internal/diag"

// The findings of this package: RG3xx, files and configuration.
var (
	badConfig = &diag.Kind{ID: "RG301", Name: "bad-configuration", Severity: diag.Error,
		Summary: "The configuration file can't be read, or holds something that redisgen does not know."}
	foreignFile = &diag.Kind{ID: "RG302", Name: "foreign-file", Severity: diag.Error,
		Summary: "Something that redisgen did not write has the name of a file that it would write; it is never overwritten."}
	packageMismatch = &diag.Kind{ID: "RG303", Name: "package-mismatch", Severity: diag.Error,
		Summary: "The package name that was asked for is not that of the Go files in the folder, so they would not compile together."}
)

var kinds = []*diag.Kind{badConfig, foreignFile, packageMismatch}
