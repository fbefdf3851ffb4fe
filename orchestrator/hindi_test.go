package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// coded is where code gives a sentence that people see a code, or a point of a notice or a deadline one.
var coded = map[string]*regexp.Regexp{
	"problems":  regexp.MustCompile(`(?:\bproblem\([\w.]+, |\bcode, detail (?::)?= |Problem\{code: |turnedDown\{|Failure\{Code: |\bCode += )"([a-z]+(?:_[a-z]+)*)"|\brefuse\("([a-z_]+)", "|\bClass += "([a-z_]+)"`),
	"flags":     regexp.MustCompile(`\br\.flag\("([a-z_0-9]+)"`),
	"deadlines": regexp.MustCompile(`(?m)^\t[A-Z]\w+ += "([a-z_]+)" +// (?:answer|attend|pay|do|first|the last|apply|until|by)`),
}

// What the server says in English has, in Hindi, a sentence for each code beside the web app's texts.
func TestEveryCodeHasASentenceInHindi(t *testing.T) {
	raw, err := os.ReadFile("../webapp/src/locales/hi/server.json")
	if err != nil {
		t.Fatal(err)
	}
	var said map[string]map[string]string
	if err := json.Unmarshal(raw, &said); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	look := func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for kind, pattern := range coded {
			for _, m := range pattern.FindAllStringSubmatch(string(source), -1) {
				found[kind]++
				code := strings.Join(m[1:], "")
				if strings.Contains(m[0], "Class") {
					code = "model_" + code // as a turn fails with it
				}
				if said[kind][code] == "" {
					t.Errorf("%s has the code %q, and locales/hi/server.json no words for it among the %s", path, code, kind)
				}
			}
		}
		return nil
	}
	for _, folder := range []string{".", "../workflows"} {
		if err := filepath.WalkDir(folder, look); err != nil {
			t.Fatal(err)
		}
	}
	for kind, least := range map[string]int{"problems": 60, "flags": 10, "deadlines": 8} {
		if found[kind] < least {
			t.Errorf("only %d codes of %s were found: the pattern has lost them", found[kind], kind)
		}
	}
}
