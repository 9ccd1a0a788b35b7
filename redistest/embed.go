package redistest

import (
	"fmt"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// embed starts miniredis on a free port of the loopback interface.
func embed() (*Server, error) {
	m := miniredis.NewMiniRedis()
	// By default a key of miniredis expires only when a test turns the clock by hand. Here keys expire as time goes by, as
	// they do on a server; a program runs as well, not only tests.
	m.ClockTTL(true)
	if err := m.Start(); err != nil {
		return nil, fmt.Errorf("redistest: the embedded server: %w", err)
	}
	return &Server{
		Kind:    Miniredis,
		options: &redis.Options{Network: "tcp", Addr: m.Addr()},
		stop:    func() error { m.Close(); return nil },
	}, nil
}
