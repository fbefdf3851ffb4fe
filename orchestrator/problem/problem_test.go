package problem_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"munshi/orchestrator/problem"
)

func TestSentence(t *testing.T) {
	cause := errors.New("no such file")
	err := fmt.Errorf("read the baseline: %w", problem.New("baseline_unreadable", problem.Params{"file": "a.txt"}, cause))
	if got := problem.SentenceOf(err); got != "The baseline a.txt cannot be read. --update writes it." {
		t.Errorf("the sentence is %q", got)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	if got := problem.SentenceOf(cause); got != "no such file" {
		t.Errorf("an error without a sentence says %q", got)
	}
	if got := problem.New("too_large.word", nil, nil).Kind(); got != "too_large" {
		t.Errorf("programs see %q", got)
	}
}

var braces = regexp.MustCompile(`\{(\w+)\}`)

// Each problem of the source is in the catalogue, with the values that its sentence needs, and each of the catalogue is
// made somewhere.
func TestCatalogue(t *testing.T) {
	people, operators, err := problem.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	sentences := map[string]string{}
	for _, part := range []map[string]string{people, operators} {
		for code, sentence := range part {
			if sentences[code] != "" {
				t.Errorf("%s stands in both parts", code)
			}
			if sentence == "" {
				t.Errorf("%s has no sentence", code)
			}
			sentences[code] = sentence
		}
	}
	for code, sentence := range people {
		if strings.HasPrefix(code, "model_") && strings.ContainsAny(sentence, "{") {
			t.Errorf("%s tells people of settings or addresses: %s", code, sentence)
		}
	}
	used := map[string]bool{}
	files := token.NewFileSet()
	err = filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && entry.Name() == "gst" {
			return fs.SkipDir // it knows no other room
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				code, _ := strconv.Unquote(literal.Value)
				used[code] = true // such as document.Code's
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || !makesProblem(call.Fun) || len(call.Args) < 2 {
				return true
			}
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				return true
			}
			code, _ := strconv.Unquote(literal.Value)
			sentence, known := sentences[code]
			if !known {
				t.Errorf("%s: the catalogue has no %q", files.Position(call.Pos()), code)
				return true
			}
			var want []string
			for _, name := range braces.FindAllStringSubmatch(sentence, -1) {
				want = append(want, name[1])
			}
			for _, name := range want {
				if !slices.Contains(keys(call.Args[1]), name) {
					t.Errorf("%s: %s needs %q", files.Position(call.Pos()), code, name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for code := range sentences {
		if !used[code] && !strings.HasPrefix(code, "model_") {
			t.Errorf("nothing makes %s", code)
		}
	}
}

// makesProblem tells whether a function takes a code and its values: problem.New, refuse of the API, Fail of the
// activities.
func makesProblem(fun ast.Expr) bool {
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		of, _ := f.X.(*ast.Ident)
		return of != nil && (of.Name == "problem" && f.Sel.Name == "New" || of.Name == "activities" && f.Sel.Name == "Fail")
	case *ast.Ident:
		return f.Name == "refuse" || f.Name == "Fail"
	}
	return false
}

// keys returns the names of the values that stand in the source.
func keys(e ast.Expr) (names []string) {
	if all, ok := e.(*ast.CompositeLit); ok {
		for _, element := range all.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				if name, ok := pair.Key.(*ast.BasicLit); ok {
					text, _ := strconv.Unquote(name.Value)
					names = append(names, text)
				}
			}
		}
	}
	return names
}
