package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"context"
	"errors"
	"net"
	"regexp"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// unknownScript are the replies to an EVALSHA of a script that the server does not know, word for word: those of Redis
// and of Valkey.
var unknownScript = map[string]bool{
	"NOSCRIPT No matching script. Please use EVAL.": true,
	"NOSCRIPT No matching script.":                  true,
}

// notRun are the other replies that a server gives before it runs anything, word for word: an error that comes from
// within a script has a suffix, and a script's own text differs. They are those of Redis 7.0 and 8.0 and Valkey 8.1.
var notRun = map[string]bool{
	"LOADING Redis is loading the dataset in memory":                                   true,
	"LOADING Valkey is loading the dataset in memory":                                  true,
	"CLUSTERDOWN The cluster is down":                                                  true,
	"CLUSTERDOWN The cluster is down and only accepts read commands":                   true,
	"CLUSTERDOWN Hash slot not served":                                                 true,
	"TRYAGAIN Multiple keys request during rehashing of slot":                          true,
	"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.": true,
	"MASTERDOWN Link with MASTER is down, replica-serve-stale-data is set to 'no' and 'allow-stale' flag is not set on the script.": true,
	"NOREPLICAS Not enough good replicas to write.":                   true,
	"READONLY Can not run script with write flag on readonly replica": true,
	"ERR max number of clients reached":                               true,
	"ERR max number of clients + cluster connections reached":         true,
	readonlyReplica: true,
}

// readonlyReplica also counts with the suffix that a call inside the script adds: a replica applied no write.
const readonlyReplica = "READONLY You can't write against a read only replica."

// discarded are replies after which nothing ran, but sending again does not help: of a transaction that was discarded,
// and of keys in different slots.
var discarded = []string{"EXECABORT Transaction discarded because of ", redis.TxFailedErr.Error(), redis.ErrCrossSlot.Error()}

// evalForbidden reports whether a reply says that the user may not call EVAL.
func evalForbidden(text string) bool {
	return strings.HasPrefix(text, "NOPERM ") && strings.Contains(text, "'eval")
}

// scriptOutcome is what an error proves.
type scriptOutcome struct {
	is    error // ErrNotExecuted, ErrMaybeExecuted, or nil where the script itself answered
	again bool  // sending it once more is safe and may help
}

func (s *scriptSource) outcome(err error) scriptOutcome {
	var reply redis.Error
	if errors.As(err, &reply) {
		text, sha, _ := cutSuffix(reply.Error())
		if notRun[reply.Error()] || unknownScript[reply.Error()] || text == readonlyReplica && sha == s.sha {
			return scriptOutcome{is: ErrNotExecuted, again: true}
		}
		for _, prefix := range discarded {
			if strings.HasPrefix(reply.Error(), prefix) {
				return scriptOutcome{is: ErrNotExecuted}
			}
		}
		return scriptOutcome{}
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" || // the pool has dialled several times itself
		errors.Is(err, redis.ErrClosed) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted) {
		return scriptOutcome{is: ErrNotExecuted}
	}
	return scriptOutcome{is: ErrMaybeExecuted}
}

// fail wraps the causes of a failed call; the first is the one that the message tells.
func (s *scriptSource) fail(class string, causes ...error) error {
	e := &ScriptError{Script: s.name, Version: s.version, SHA: s.sha, Class: class}
	for _, cause := range causes {
		if cause != nil {
			e.causes = append(e.causes, cause)
		}
	}
	e.message = causes[0].Error()
	var reply redis.Error
	if errors.As(causes[0], &reply) {
		s.explain(e, reply.Error())
	}
	for _, cause := range causes[1:] {
		if cause != nil {
			e.message += ": " + cause.Error()
		}
	}
	return e
}

// failCall wraps the error of a call that got no good reply.
func (s *scriptSource) failCall(err, outcome error) error {
	if errors.Is(err, redis.ErrClosed) {
		return s.fail("config", &ConfigError{Problem: "the client is closed"}, outcome)
	}
	var network net.Error
	if errors.As(err, &network) && network.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return s.fail("timeout", err, outcome)
	}
	return s.fail("network", err, outcome)
}

// failReply wraps the error of a reply that can't be read, or the error that a result code means.
func (s *scriptSource) failReply(err error) error {
	var reply *ReplyError
	var code *UnknownCodeError
	if errors.As(err, &reply) || errors.As(err, &code) {
		return s.fail("reply", err)
	}
	return s.fail("code", err)
}

var (
	// raisedIn is what a server adds to an error that was raised within a script.
	raisedIn = regexp.MustCompile(` script: ([0-9a-f]{40}), on @user_script:(\d+)\S*$`)

	// luaPlace stands before the text of an error of Lua itself, and names the line better than raisedIn does.
	luaPlace = regexp.MustCompile(`@?user_script: ?(\d+): ?`)

	// errorWord is the word by which an error reply is told: the first one, after an ERR if there are two.
	errorWord = regexp.MustCompile(`^(?:ERR )?([A-Z][A-Z0-9_]*)(?: |$)`)
)

// explain fills e from the text of an error reply: its first word, the place in the source, the sentinel of the header.
func (s *scriptSource) explain(e *ScriptError, text string) {
	text, _, line := cutSuffix(text)
	e.Word = firstWord(text)
	e.Class = "redis"
	switch e.Word {
	case "NOSCRIPT":
		e.Class = "noscript"
	case "BUSY":
		e.Class = "busy"
	case "CROSSSLOT":
		e.causes = append(e.causes, &CrossSlotError{Script: s.name})
	}
	if sentinel := s.errors[e.Word]; sentinel != nil {
		e.causes = append([]error{sentinel}, e.causes...)
	}
	if m := luaPlace.FindStringSubmatchIndex(text); m != nil {
		line = text[m[2]:m[3]]
		text = text[:m[0]] + text[m[1]:]
	}
	if n, err := strconv.Atoi(line); err == nil && s.sourceLine(n) > 0 {
		e.File, e.Line = s.file, s.sourceLine(n)
	}
	e.message = text
}

// cutSuffix takes what raisedIn matches off an error.
func cutSuffix(text string) (message, sha, line string) {
	if m := raisedIn.FindStringSubmatchIndex(text); m != nil {
		return text[:m[0]], text[m[2]:m[3]], text[m[4]:m[5]]
	}
	return text, "", ""
}

func firstWord(text string) string {
	if m := errorWord.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// sourceLine returns the line of the source file that a line of the text came from, or 0.
func (s *scriptSource) sourceLine(line int) int {
	for i := len(s.lines) - 1; i >= 0; i-- {
		if run := s.lines[i]; line >= run.bundle {
			return run.source + line - run.bundle
		}
	}
	return 0
}
