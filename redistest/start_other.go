//go:build !unix

package redistest

import (
	"context"
	"errors"
)

// canStart is false: what keeps a server from outliving us is a shell, and Redis is at home on Unix only.
const canStart = false

var errCannotStart = errors.New("redistest: cannot start a server on this system")

func start(context.Context, string) (*Server, error) { return nil, errCannotStart }

type process struct{}

func launch(context.Context, string, func(string) ([]string, error)) (*process, error) {
	return nil, errCannotStart
}

func (*process) kill()       {}
func (*process) stop() error { return nil }
