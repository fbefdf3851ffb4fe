package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"munshi/orchestrator/gst/lazyregexp"
)

// An expression is compiled when it is first used, so a wrong one must be found here. Expressions that are assembled
// from parts are tested in their own packages.
func TestEveryExpressionCompiles(t *testing.T) {
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range append(files, below...) {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			made, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || made.Sel.Name != "New" {
				return true
			}
			if room, ok := made.X.(*ast.Ident); !ok || room.Name != "lazyregexp" {
				return true
			}
			if literal, ok := call.Args[0].(*ast.BasicLit); ok {
				expression, err := strconv.Unquote(literal.Value)
				if err == nil {
					_, err = regexp.Compile(expression)
				}
				if err != nil {
					t.Errorf("%s: %v", set.Position(literal.Pos()), err)
				}
				seen++
			}
			return true
		})
	}
	if seen < 80 {
		t.Errorf("only %d expressions were found", seen)
	}
}

func TestIsThatOfRegexp(t *testing.T) {
	p := lazyregexp.New(`(\d+)-(\d+)`)
	if got := p.FindStringSubmatch("in 2017-18"); len(got) != 3 || got[1] != "2017" || got[2] != "18" {
		t.Errorf("found %q", got)
	}
	if got := p.ReplaceAllString("2017-18", "$2"); got != "18" {
		t.Errorf("replaced as %q", got)
	}
	if p.MatchString("none") || len(p.FindAllStringIndex("1-2 3-4", -1)) != 2 {
		t.Error("matches what it should not, or not all")
	}
}
