package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// source is one declaration of a type, or a file with methods of it.
type source map[string]map[string]bool // by name, then by package

func (s source) add(name, where string) {
	if s[name] == nil {
		s[name] = map[string]bool{}
	}
	s[name][where] = true
}

// declared reads our own code: where each exported struct is declared, and in which files each type has methods.
func declared(t *testing.T) (structs, methods source) {
	t.Helper()
	structs, methods = source{}, source{}
	files := token.NewFileSet()
	for _, root := range []string{".", "../workflows", "../evals"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "store/db/") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			pkg := filepath.ToSlash(filepath.Dir(path))
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if name := receiver(d); name != "" {
						methods.add(pkg+"."+name, path)
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if of, ok := spec.(*ast.TypeSpec); ok && of.Name.IsExported() && !of.Assign.IsValid() {
							// The types of this package are the API contract.
							if _, ok := of.Type.(*ast.StructType); ok && pkg != "api" {
								structs.add(of.Name.Name, pkg)
							}
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return structs, methods
}

// receiver returns the name of the type whose method a function is, "" for none.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// Package main starts the command line, and must stay small.
func TestMainStaysSmall(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	if !slices.Equal(files, []string{"main.go"}) {
		t.Errorf("package main has the files %v: what is not the start of the program belongs in a package, see docs/architecture.md", files)
	}
	text, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 60 {
		t.Errorf("main.go has %d lines, and 60 are enough to start a program", n)
	}
}

// A type with methods in many files has too many responsibilities. Allowed are the API's server, with a file for
// each part of the contract, the store, with one for each kind of row, the activities, with one for each workflow,
// and readers and writers that are divided by format.
func TestMethodsStandTogether(t *testing.T) {
	many := []string{"../workflows.Activities", "api.server", "document/word.writer", "figures/read.decoder", "model.notice", "prompt.checker", "prompt.document", "store.Store",
		"telemetry.Telemetry"}
	_, methods := declared(t)
	for name, files := range methods {
		if len(files) > 2 && !slices.Contains(many, name) && !strings.HasPrefix(name, "gst") {
			t.Errorf("%s has methods in %v: two files are enough", name, slices.Sorted(maps.Keys(files)))
		}
	}
}

// said lists names that several packages use with different meanings: the options of each, and what packages that do
// not import each other say about the same thing. A new name that two packages declare fails here: import one of
// them, or choose another name.
var said = map[string][]string{
	"Act":       {"gst/cite", "law"},
	"Answer":    {"../evals", "../workflows"},
	"Authority": {"gst/reply", "turns"},
	"Bundle":    {"prompt", "store"},
	"Change":    {"../evals", "gst/law"},
	"Deadline":  {"gst", "gst/reckon"},
	"Document":  {"../workflows", "document/word", "gst/law"},
	"Ending":    {"../workflows", "store"},
	"Entry":     {"account", "figures", "gst/cite", "law"},
	"Error":     {"model", "payment", "problem"},
	"Event":     {"payment", "payment/paymenttest"},
	"Finding":   {"../evals", "../workflows"},
	"Form":      {"gst/law", "gst/reply"},
	"Given":     {"gst/reckon", "gst/reply"},
	"Head":      {"gst/printed", "law"},
	"Holiday":   {"gst/law", "gst/reckon"},
	"Index":     {"gst/cite", "law"},
	"Input":     {"../evals", "prompt"},
	"Issued":    {"gst/cite", "gst/law"},
	"Law":       {"gst/reckon", "law"},
	"Letter":    {"gst/law", "store"},
	"Mark":      {"document/word", "gst/cite", "law"},
	"Message":   {"message", "model", "model/modeltest", "prompt"},
	"NewDraft":  {"../workflows", "store"},
	"Notice":    {"gst/cite", "store"},
	"Page":      {"document", "gst", "law", "turns"},
	"Part":      {"gst", "gst/reply", "law"},
	"Place":     {"gst", "payment"},
	"Point":     {"gst/defence", "gst/reply", "store"},
	"Problem":   {"../evals", "gst/law", "law", "law/defences", "prompt"},
	"Provision": {"gst/law", "law"},
	"Question":  {"../workflows", "store"},
	"Rate":      {"gst/law", "store"},
	"Reader":    {"document", "figures/read"},
	"Recipient": {"model", "site"},
	"Ref":       {"../workflows", "store"},
	"Refused":   {"law", "store"},
	"Reply":     {"model", "store"},
	"Request":   {"model", "model/modeltest"},
	"Required":  {"../workflows", "store"},
	"Retention": {"recovery", "store"},
	"Row":       {"figures/read", "gst/reckon", "gst/table", "practice/portal"},
	"Rule":      {"gst/defence", "gst/law"},
	"Said":      {"../evals", "../workflows", "gst/reply", "store"},
	"Server":    {"model/modeltest", "payment/paymenttest"},
	"Service":   {"billing", "evaluation"},
	"Settings":  {"billing", "prompt"},
	"Stack":     {"app", "local"},
	"Step":      {"../workflows", "prompt"},
	"Table":     {"gst/table", "practice/portal"},
	"Value":     {"gst/printed", "prompt"},
	"Verdict":   {"../evals", "gst"},
	"Version":   {"gst/defence", "law"},
	"Word":      {"document", "gst/table"},
	"Words":     {"gst/defence", "notices"},
}

// A domain type is declared only once.
func TestSharedTypesAreDeclaredOnce(t *testing.T) {
	structs, _ := declared(t)
	for name, packages := range structs {
		if len(packages) < 2 || name == "Options" {
			continue
		}
		where := slices.Sorted(maps.Keys(packages))
		if !slices.Equal(where, said[name]) {
			t.Errorf("%s is declared in %v, known is %v", name, where, said[name])
		}
	}
	for name := range said {
		if len(structs[name]) < 2 {
			t.Errorf("%s is declared in %d packages now: take it off the list", name, len(structs[name]))
		}
	}
}
