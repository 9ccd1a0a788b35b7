package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"context"
	"encoding"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// redisgenRecorder is a client that keeps the last command as it would go over the wire, and answers with a reply.
type redisgenRecorder struct {
	reply   string
	command []string
}

func (r *redisgenRecorder) Process(_ context.Context, cmd redis.Cmder) error {
	r.command = nil
	for _, arg := range cmd.Args() {
		switch arg := arg.(type) {
		case encoding.BinaryMarshaler:
			text, err := arg.MarshalBinary()
			if err != nil {
				return err
			}
			r.command = append(r.command, string(text))
		case []byte:
			r.command = append(r.command, string(arg))
		default:
			r.command = append(r.command, fmt.Sprint(arg))
		}
	}
	call, ok := cmd.(*scriptCall)
	if !ok {
		return fmt.Errorf("a %T was sent", cmd)
	}
	_, err := call.reply.Write([]byte(r.reply))
	call.SetErr(err)
	return err
}
