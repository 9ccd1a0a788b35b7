//go:build !unix

package redistest

import (
	"context"
	"errors"
)

// canStart is false: what keeps a server from outliving us is a shell, and Redis is at home on Unix only.
const canStart = false

func start(context.Context, string) (*Server, error) {
	return nil, errors.New("redistest: cannot start a server on this system")
}
