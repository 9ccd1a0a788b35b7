package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/redisgen/redisgen/internal/model"
)

// scriptsFile writes type Scripts; the support code joins it in redisgen.go.
func scriptsFile(p *model.Package) *jen.File {
	f := newFile(p.Name, "")
	f.Comment("// Scripts are the scripts of this package. Get them from NewScripts.")
	f.Type().Id("Scripts").StructFunc(func(g *jen.Group) {
		for _, s := range p.Scripts {
			if s.Deprecated != "" {
				g.Comment("// Deprecated: " + s.Deprecated)
			}
			g.Id(s.GoName).Op("*").Id(s.GoName + "Script").Comment("// " + s.File)
		}
		g.Line()
		g.Id("runner").Op("*").Id("scriptRunner")
	})

	f.Comment("// NewScripts returns the scripts of this package, run by client: a *redis.Client, *redis.ClusterClient,")
	f.Comment("// *redis.Ring or *redis.Conn. With a client or an option that can't work, every call returns a *ConfigError.")
	client := jen.Interface(jen.Id("Process").Params(jen.Qual("context", "Context"), jen.Qual(redisPath, "Cmder")).Error())
	f.Func().Id("NewScripts").Params(jen.Id("client").Add(client), jen.Id("opts").Op("...").Id("Option")).Op("*").Id("Scripts").Block(
		jen.Return(jen.Id("scriptsOf").Call(jen.Id("newScriptRunner").Call(jen.Id("client"), jen.Id("opts")))),
	)
	var fields []jen.Code
	for _, s := range p.Scripts {
		fields = append(fields, field(s.GoName, jen.Op("&").Id(s.GoName+"Script").Values(jen.Id("runner"))))
	}
	fields = append(fields, field("runner", jen.Id("runner")))

	f.Comment("// With returns the same scripts with the same options on another client, such as a *redis.Tx within Watch.")
	f.Func().Params(jen.Id("s").Op("*").Id("Scripts")).Id("With").Params(jen.Id("client").Add(client)).Op("*").Id("Scripts").Block(
		jen.Return(jen.Id("scriptsOf").Call(jen.Id("s").Dot("runner").Dot("with").Call(jen.Id("client")))),
	)

	f.Func().Id("scriptsOf").Params(jen.Id("runner").Op("*").Id("scriptRunner")).Op("*").Id("Scripts").Block(jen.Return(jen.Op("&").Id("Scripts").Custom(multiline, fields...)))

	f.Comment("// Load loads every script on every node that the client knows, so that no first call has to. A call loads what")
	f.Comment("// it misses, so the caller decides what a failure means.")
	f.Func().Params(jen.Id("s").Op("*").Id("Scripts")).Id("Load").Params(jen.Id("ctx").Qual("context", "Context")).Error().Block(
		jen.Return(jen.Id("s").Dot("runner").Dot("load").Call(jen.Id("ctx"), jen.Id("scriptSources"))),
	)

	f.Comment("// Infos says what each script is.")
	f.Func().Params(jen.Id("s").Op("*").Id("Scripts")).Id("Infos").Params().Index().Id("ScriptInfo").Block(
		jen.Var().Id("infos").Index().Id("ScriptInfo"),
		jen.For(jen.List(jen.Id("_"), jen.Id("source")).Op(":=").Range().Id("scriptSources")).Block(
			jen.Id("infos").Op("=").Append(jen.Id("infos"), jen.Id("source").Dot("info").Call()),
		),
		jen.Return(jen.Id("infos")),
	)

	f.Comment("// scriptSources are all scripts of the package, by name.")
	var sources []jen.Code
	for _, s := range p.Scripts {
		sources = append(sources, jen.Id(sourceVar(s)))
	}
	f.Var().Id("scriptSources").Op("=").Index().Op("*").Id("scriptSource").Custom(multiline, sources...)
	return f
}
