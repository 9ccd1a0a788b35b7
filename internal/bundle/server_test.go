package bundle

import (
	"context"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/redistest"
)

// onServers runs f on each server.
func onServers(t *testing.T, f func(t *testing.T, client *redis.Client)) {
	redistest.Matrix(t, func(t *testing.T, s *redistest.Server) {
		s.RequireReal(t, "running Lua as Redis does")
		s.RequireOwn(t, "filling the script cache")
		f(t, s.Client)
	})
}

// TestSourceAndBundleGiveTheSame also holds the belief that line ends inside strings may be normalised.
func TestSourceAndBundleGiveTheSame(t *testing.T) { onServers(t, testSourceAndBundleGiveTheSame) }

func testSourceAndBundleGiveTheSame(t *testing.T, client *redis.Client) {
	for _, test := range []struct {
		src  string
		want any
	}{
		{"return 'a\\\r\nb\\\rc\\\n\rd'", "a\nb\nc\nd"},
		{"return [[\r\na\r\nb\rc\n\rd\n\ne -- f\n]]", "a\nb\nc\nd\n\ne -- f\n"},
		{"-- a\rreturn 1", int64(1)},
		{"#!lua flags=no-writes\r\n--[[ a\n]]return 'é\xff'", "é\xff"},
		{"local t = {--[[ a ]]1,--[[ b ]]2--[[ c ]]}\nreturn t[--[[ d ]]2]--[[ e ]]-1", int64(1)},
		{"local a, b = 5, 2 -- x\nreturn a--[[]]-b", int64(3)},
		{"local a = {b = 'x'}\nreturn a. --[[ c ]] b..--[[ d\n]]'y'", "xy"},
		{"return {1,\n\n -- a\n 2,\n 3}", []any{int64(1), int64(2), int64(3)}},
	} {
		for name, text := range map[string]string{"source": test.src, "bundle": build(t, test.src).Text} {
			got, err := client.Eval(context.Background(), text, nil).Result()
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%s %q gives %q, %v; want %q", name, text, got, err, test.want)
			}
		}
	}
}

func TestServerComputesTheSameDigest(t *testing.T) {
	b := build(t, "-- a\r\nreturn 'é\xff'\r\n")
	onServers(t, func(t *testing.T, client *redis.Client) {
		sha, err := client.ScriptLoad(context.Background(), b.Text).Result()
		if err != nil || sha != b.SHA1 {
			t.Errorf("the server says %s, %v; want %s", sha, err, b.SHA1)
		}
	})
}

func TestRuntimeErrorLeadsToSource(t *testing.T) { onServers(t, testRuntimeErrorLeadsToSource) }

func testRuntimeErrorLeadsToSource(t *testing.T, client *redis.Client) {
	for _, src := range []string{
		"\n\nerror('here')",
		"#!lua\n-- a\n\n--[[ b\n c ]] error('here')\nreturn 1",
		"local a = [[x\n\ny]] -- b\n-- c\n\n  error('here')",
		"local a = --[[ b\nc ]] 1\r\n\r\nlocal b = 'x\\\r\ny'\r\n\r\nerror('here')\r\n",
		"if true then -- a\n\n\t-- b\n\terror('here') -- c\nend",
	} {
		b := build(t, src)
		err := client.Eval(context.Background(), b.Text, nil).Err()
		m := regexp.MustCompile(`user_script:(\d+): here`).FindStringSubmatch(errorText(err))
		if m == nil {
			t.Errorf("%q: no line in %v", b.Text, err)
			continue
		}
		line, _ := strconv.Atoi(m[1])
		want, _ := diag.NewFile("", src).Position(strings.Index(src, "error("))
		if file, got := b.Origin(line); file == nil || got != want {
			t.Errorf("%q: line %d of the bundle leads to line %d, want %d", src, line, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
