// Package redisinfo holds facts about Redis and Valkey as data.
package redisinfo

// reservedErrorWords are the first words of error replies that have a meaning of their own for a server, a cluster or
// go-redis: a script that raised one would be taken for the server, be sent again, or be routed elsewhere.
//
// Sources: the shared error replies of redis-server 7.0 and 8.0 and valkey-server 8.1, and the error classes of
// go-redis 9.19 to 9.23.
var reservedErrorWords = map[string]string{
	"ASK":          "a cluster node redirects with it, and the client sends the call elsewhere",
	"BUSY":         "the server is busy with another script",
	"BUSYGROUP":    "the consumer group exists",
	"BUSYKEY":      "the target key exists",
	"CLUSTERDOWN":  "the cluster does not serve the slot, and the client tries again",
	"CROSSSLOT":    "the keys are in different hash slots",
	"DENIED":       "the server runs in protected mode",
	"ERR":          "it is the word of errors without a word",
	"EXECABORT":    "a transaction was discarded",
	"INPROG":       "a failover is in progress",
	"INVALIDOBJ":   "the key's encoding is invalid",
	"LOADING":      "the server is loading its data, and the client tries again",
	"MASTERDOWN":   "a replica has lost its master, and the client tries again",
	"MISCONF":      "the server can't persist",
	"MOVED":        "a cluster node redirects with it, and the client sends the call elsewhere",
	"NOAUTH":       "the connection is not authenticated",
	"NOGOODSLAVE":  "no replica can be promoted",
	"NOMASTERLINK": "a replica has no link to its master",
	"NOPERM":       "the user lacks a permission",
	"NOPROTO":      "the protocol version is not supported",
	"NOQUORUM":     "the sentinels have no quorum",
	"NOREPLICAS":   "too few replicas, and the client tries again",
	"NOSCRIPT":     "the server does not know the script, and the client sends it",
	"NOTBUSY":      "no script is running",
	"OOM":          "the server is out of memory",
	"READONLY":     "a replica refused a write, and the client tries again",
	"REDIRECT":     "the server hands over to another one",
	"TRYAGAIN":     "the keys are being moved between nodes, and the client tries again",
	"UNBLOCKED":    "a blocked client was let go",
	"UNKILLABLE":   "a script has written and can't be killed",
	"WRONGPASS":    "the password is wrong",
	"WRONGTYPE":    "the key holds another kind of value",
}

// ReservedErrorWord reports whether a script may not raise an error with this first word, and why.
func ReservedErrorWord(word string) (why string, reserved bool) {
	why, reserved = reservedErrorWords[word]
	return why, reserved
}
