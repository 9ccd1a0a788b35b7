// Package templates holds text that does not depend on the shape of a model.
package templates

import "embed"

// Runtime is the source of the support code that is emitted into generated packages.
//
//go:embed runtime/*.go
var Runtime embed.FS
