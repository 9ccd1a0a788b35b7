package main

import (
	"slices"
	"testing"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/lua"
	"github.com/redisgen/redisgen/internal/model"
)

// A number means one thing, and every kind of finding says what it is about.
func TestKinds(t *testing.T) {
	seen := map[string]*diag.Kind{}
	for _, k := range slices.Concat(lua.Kinds, annotations.Kinds, model.Kinds, kinds) {
		if seen[k.ID] != nil {
			t.Errorf("%s is both %s and %s", k.ID, seen[k.ID].Name, k.Name)
		}
		seen[k.ID] = k
		if k.Name == "" || k.Summary == "" {
			t.Errorf("%s has no name or no summary", k.ID)
		}
	}
}
