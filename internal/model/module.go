package model

import (
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/redisgen/redisgen/internal/diag"
)

// What generated code is written on.
const (
	redisModule = "github.com/redis/go-redis/v9"
	leastRedis  = "v9.19.0" // has commands that are not retried and replies kept as bytes
)

// CheckModule warns when the go.mod of the generated package names no go-redis, or one that is too old. A go.mod that
// can't be read is the go command's to report.
func CheckModule(file *diag.File, sink *diag.Sink) {
	mod, err := modfile.ParseLax(file.Name, []byte(file.Text), nil)
	if err != nil {
		return
	}
	for _, r := range mod.Require {
		if r.Mod.Path != redisModule {
			continue
		}
		if semver.Compare(r.Mod.Version, leastRedis) < 0 {
			span := file.Span(r.Syntax.Start.Byte, r.Syntax.End.Byte)
			sink.Report(OldClient, span, "generated code needs go-redis %s or later", leastRedis).
				WithHint("run: go get %s@%s", redisModule, leastRedis)
		}
		return
	}
	sink.Report(NoClient, file.Span(0, 0), "the module does not require go-redis, which generated code imports").
		WithHint("run: go get %s", redisModule)
}
