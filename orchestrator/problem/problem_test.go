package problem_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
)

func TestSentence(t *testing.T) {
	cause := errors.New("no such file")
	err := fmt.Errorf("read the baseline: %w", problem.New("baseline_unreadable", problem.Params{"file": "a.txt"}, cause))
	if got := problem.SentenceOf(err); got != "The baseline a.txt cannot be read. Create it with --update." {
		t.Errorf("the sentence is %q", got)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	if got := problem.In(err, "hi"); got != "बेसलाइन a.txt पढ़ी नहीं जा सकती। --update उसे लिखता है।" {
		t.Errorf("the sentence in Hindi is %q", got)
	}
	if got := problem.SentenceOf(cause); got != "no such file" {
		t.Errorf("an error without a sentence says %q", got)
	}
	if got := problem.New("too_large.word", nil, nil).Kind(); got != "too_large" {
		t.Errorf("programs see %q", got)
	}
}

var (
	places = regexp.MustCompile(`\{\{(\w+)\}\}`)
	// failsTurn matches where a workflow or an activity fails a turn with a code of its own.
	failsTurn = regexp.MustCompile(`Failure\{Code: "([a-z_]+)"`)
	// classOf matches the classes of model failures; a turn fails with "model_" before them.
	classOf = regexp.MustCompile(`\bClass += "([a-z_]+)"`)
)

// Each problem in the source has a sentence with the values that it needs, and each sentence is used. Package
// message tests that both languages have the same sentences.
func TestCatalogue(t *testing.T) {
	sentences := map[string]string{}
	for code, sentence := range message.Catalogue("en") {
		for _, group := range []string{"problems.", "operators."} {
			short, ok := strings.CutPrefix(code, group)
			if !ok {
				continue
			}
			if sentences[short] != "" {
				t.Errorf("%s is in both groups", short)
			}
			if group == "problems." && strings.HasPrefix(short, "model_") && strings.Contains(sentence, "{{") {
				t.Errorf("%s shows people settings or addresses: %s", short, sentence)
			}
			sentences[short] = sentence
		}
	}
	if len(sentences) < 200 {
		t.Fatalf("only %d sentences were found", len(sentences))
	}
	used := map[string]bool{}
	files := token.NewFileSet()
	look := func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && entry.Name() == "gst" {
			return fs.SkipDir // it does not import this package
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range failsTurn.FindAllStringSubmatch(string(source), -1) {
			if problem.OfTurn(m[1]).IsZero() {
				t.Errorf("%s: a turn fails with %q, which has no sentence without values", path, m[1])
			}
		}
		if strings.Contains(filepath.ToSlash(path), "/model/") {
			for _, m := range classOf.FindAllStringSubmatch(string(source), -1) {
				if problem.OfTurn("model_" + m[1]).IsZero() {
					t.Errorf("%s: a turn fails with %q, which has no sentence without values", path, "model_"+m[1])
				}
			}
		}
		file, err := parser.ParseFile(files, path, source, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				code, _ := strconv.Unquote(literal.Value)
				used[code] = true // such as a document.Code
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
			for _, name := range places.FindAllStringSubmatch(sentence, -1) {
				if !slices.Contains(keys(call.Args[1]), name[1]) {
					t.Errorf("%s: %s needs %q", files.Position(call.Pos()), code, name[1])
				}
			}
			return true
		})
		return nil
	}
	for _, folder := range []string{"..", "../../workflows"} {
		if err := filepath.WalkDir(folder, look); err != nil {
			t.Fatal(err)
		}
	}
	for code := range sentences {
		plain, _ := strings.CutSuffix(code, ".turn")
		if !used[code] && !used[plain] && !strings.HasPrefix(code, "model_") {
			t.Errorf("nothing uses %s", code)
		}
	}
}

// A failed turn is explained without values, which are not stored, and in the words for turns if there are any.
func TestOfTurn(t *testing.T) {
	for code, want := range map[string]string{
		"damaged":        "This PDF is damaged and cannot be read. Please download or scan it again, and upload the new copy.",
		"too_many_pages": "This PDF has too many pages. Please upload the notice without its enclosures.",
		"too_large":      "",
		"no_such_code":   "",
	} {
		if got := problem.OfTurn(code).English; got != want {
			t.Errorf("%s is explained as %q, want %q", code, got, want)
		}
	}
}

// makesProblem reports whether a function takes a code and its values: problem.New, the API's refuse, Fail of the
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

// keys returns the names of the values that are in the source.
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
