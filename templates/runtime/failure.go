package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"context"
	"errors"
	"net"
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
		text, _, sha := cutSuffix(reply.Error())
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

// explain fills e from the text of an error reply: its first word, the place in the source, the sentinel of the header.
func (s *scriptSource) explain(e *ScriptError, text string) {
	text, line, _ := cutSuffix(text)
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
	// A Lua error says "user_script:7: text", and there names the line better than the suffix does.
	if before, after, found := strings.Cut(text, "user_script:"); found {
		if n, rest, ok := leadingNumber(after); ok {
			line = n
			text = strings.TrimSuffix(before, "@") + strings.TrimPrefix(strings.TrimPrefix(rest, ":"), " ")
		}
	}
	if source := s.sourceLine(line); source > 0 {
		e.File, e.Line = s.file, source
	}
	e.message = text
}

// cutSuffix takes " script: <sha>, on @user_script:7." off an error that was raised within a script.
func cutSuffix(text string) (message string, line int, sha string) {
	i := strings.LastIndex(text, " script: ")
	if i < 0 {
		return text, 0, ""
	}
	sha, place, found := strings.Cut(text[i+len(" script: "):], ", on @user_script:")
	if !found || len(sha) != 40 {
		return text, 0, ""
	}
	line, _, _ = leadingNumber(place)
	return text[:i], line, sha
}

// firstWord returns the word by which an error reply is told: after one "ERR ", upper case.
func firstWord(text string) string {
	word, rest, _ := strings.Cut(text, " ")
	if word == "ERR" {
		if second, _, _ := strings.Cut(rest, " "); isErrorWord(second) {
			return second
		}
	}
	if isErrorWord(word) {
		return word
	}
	return ""
}

func isErrorWord(word string) bool {
	for i := range len(word) {
		c := word[i]
		if !(c >= 'A' && c <= 'Z' || i > 0 && (c >= '0' && c <= '9' || c == '_')) {
			return false
		}
	}
	return word != ""
}

func leadingNumber(text string) (n int, rest string, ok bool) {
	text = strings.TrimLeft(text, " ")
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(text[:end])
	return n, text[end:], err == nil
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
