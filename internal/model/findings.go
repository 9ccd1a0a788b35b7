package model

import "github.com/redisgen/redisgen/internal/diag"

// The findings of this package: RG2xx, what a header means and what its names become in Go.
var (
	NoScriptName = &diag.Kind{ID: "RG201", Name: "no-script-name", Severity: diag.Error,
		Summary: "The file's base name is no script name, so the header must give one with @script."}
	DuplicateName = &diag.Kind{ID: "RG202", Name: "duplicate-name", Severity: diag.Error,
		Summary: "Two parts of one script, or two scripts of one package, have the same name."}
	NameClash = &diag.Kind{ID: "RG203", Name: "go-name-clash", Severity: diag.Error,
		Summary: "Two names become the same Go identifier; redisgen never repairs a name silently."}
	ReservedName = &diag.Kind{ID: "RG204", Name: "reserved-name", Severity: diag.Error,
		Summary: "The name has a meaning of its own in the generated code or for Go, or its word in Redis."}
	NoVersion = &diag.Kind{ID: "RG205", Name: "no-version", Severity: diag.Info,
		Summary: "A script without @version can't be told from its older self in logs and metrics."}
	UnknownKeyKind = &diag.Kind{ID: "RG206", Name: "unknown-key-kind", Severity: diag.Error,
		Summary: "The kind of a key is none that Redis has."}
	TypePosition = &diag.Kind{ID: "RG207", Name: "type-not-allowed-here", Severity: diag.Error,
		Summary: "The type can't stand here, for instance one that only replies have as an argument."}
	OptionalNotLast = &diag.Kind{ID: "RG208", Name: "optional-not-last", Severity: diag.Error,
		Summary: "An argument that may be left out must stand at the end, since Lua knows it by its position."}
	BadLimit = &diag.Kind{ID: "RG209", Name: "bad-limit", Severity: diag.Error,
		Summary: "A min or max does not fit the type, or the two exclude each other."}
	TemplateParam = &diag.Kind{ID: "RG210", Name: "template-parameter", Severity: diag.Error,
		Summary: "A template parameter has the name of an argument that can't be part of a key."}
	UnknownEnum = &diag.Kind{ID: "RG211", Name: "unknown-enum", Severity: diag.Error,
		Summary: "No @enum of the script has this name."}
	EmptyEnum = &diag.Kind{ID: "RG212", Name: "empty-enum", Severity: diag.Error,
		Summary: "An @enum without a @value has nothing to choose from."}
	WrongLiteral = &diag.Kind{ID: "RG213", Name: "wrong-literal", Severity: diag.Error,
		Summary: "A literal is not of the kind that stands here, or can't be a value of the type."}
	DuplicateLiteral = &diag.Kind{ID: "RG214", Name: "duplicate-literal", Severity: diag.Error,
		Summary: "Two codes or values have the same literal, so that a reply would not say which it is."}
	CodeWithoutReturn = &diag.Kind{ID: "RG215", Name: "code-and-return", Severity: diag.Error,
		Summary: "The @code lines and @return don't fit each other."}
	BadSince = &diag.Kind{ID: "RG216", Name: "since-too-old", Severity: diag.Error,
		Summary: "The script uses something that the server named by @since does not have."}
	NoPackageName = &diag.Kind{ID: "RG217", Name: "no-package-name", Severity: diag.Error,
		Summary: "The package name is neither given by Go files in the folder nor can it be made from the folder's name."}
	HashTags = &diag.Kind{ID: "RG016", Name: "multi-key-without-hash-tag", Severity: diag.Warning,
		Summary: "The keys of one script must share a hash slot: on a cluster a call with others is refused."}
	NoClient = &diag.Kind{ID: "RG218", Name: "no-go-redis", Severity: diag.Warning,
		Summary: "The module of a generated package must require go-redis."}
	OldClient = &diag.Kind{ID: "RG219", Name: "old-go-redis", Severity: diag.Warning,
		Summary: "The module requires a go-redis that lacks what generated code is written on."}
	NotYet = &diag.Kind{ID: "RG290", Name: "not-generated-yet", Severity: diag.Error,
		Summary: "The language has it, this version of redisgen does not generate code for it."}
)

// Kinds are all findings of this package.
var Kinds = []*diag.Kind{NoScriptName, DuplicateName, NameClash, ReservedName, NoVersion, UnknownKeyKind, TypePosition,
	OptionalNotLast, BadLimit, TemplateParam, UnknownEnum, EmptyEnum, WrongLiteral, DuplicateLiteral, CodeWithoutReturn,
	BadSince, NoPackageName, NoClient, OldClient, HashTags, NotYet}
