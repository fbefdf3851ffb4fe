package app_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
)

// Every text of the plugins that come with the product is there in Hindi, and none that is not said any more.
func TestBuiltInPluginsSpeakHindi(t *testing.T) {
	bundles, err := prompt.Load(os.DirFS("../../prompts"), plugins.Registry())
	if err != nil || len(bundles) == 0 {
		t.Fatalf("the prompts were not read: %v", err)
	}
	for _, b := range bundles {
		m := b.Manifest()
		if m.Audience != "everyone" {
			continue
		}
		said := map[string]bool{"": true}
		for _, text := range m.Texts() {
			words := regexp.MustCompile(`\{\w+\}|\W`).ReplaceAllString(text, "")
			if words != "" && m.Translations["hi"][text] == "" {
				t.Errorf("%s says %q, and has no Hindi for it", m.ID, text)
			}
			said[text] = true
		}
		for text := range m.Translations["hi"] {
			if !said[text] {
				t.Errorf("%s translates %q, which it does not say", m.ID, text)
			}
		}
	}
}

// Who asks for Hindi is answered in it by every prompt that a person reads the answer of, and nobody else.
func TestPromptsAskForTheLanguage(t *testing.T) {
	bundles, err := prompt.Load(os.DirFS("../../prompts"), plugins.Registry())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bundles {
		for _, name := range []string{"analyse", "document", "chat", "summarise", "draft"} {
			p := b.Prompt(name)
			if p == nil || b.Manifest().Audience != "everyone" {
				continue
			}
			for language, wanted := range map[string]bool{"": false, "Hindi": true} {
				values := p.Samples()
				delete(values, "language")
				if language != "" {
					values["language"] = language
				}
				messages, err := b.Render(name, values)
				if err != nil {
					t.Fatalf("%s/%s: %v", b.Manifest().ID, name, err)
				}
				if got := strings.Contains(messages[0].Text, "Hindi"); got != wanted {
					t.Errorf("%s/%s with the language %q speaks of Hindi: %v", b.Manifest().ID, name, language, got)
				}
			}
		}
	}
}

// coded is where code gives a problem that people see its code. What else has a code is in the catalogue of messages, whose own
// test renders each in both languages.
var coded = map[string]*regexp.Regexp{
	"problems": regexp.MustCompile(`\bFailure\{Code: "([a-z]+(?:_[a-z]+)*)"|\bClass += "([a-z_]+)"`),
}

// What the server says in English has, in Hindi, a sentence for each code beside the web app's texts.
func TestEveryCodeHasASentenceInHindi(t *testing.T) {
	raw, err := os.ReadFile("../../webapp/src/locales/hi/server.json")
	if err != nil {
		t.Fatal(err)
	}
	var said map[string]map[string]string
	if err := json.Unmarshal(raw, &said); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	sentences, _, err := problem.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for code := range sentences {
		kind, _, _ := strings.Cut(code, ".")
		if found["problems"]++; said["problems"][kind] == "" {
			t.Errorf("the catalogue of problems has the code %q, and locales/hi/server.json no words for it", kind)
		}
	}
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
				if strings.Contains(m[0], "Class") && !strings.Contains(filepath.ToSlash(path), "/model/") {
					continue // a class of something else
				}
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
	for _, folder := range []string{"..", "../../workflows"} {
		if err := filepath.WalkDir(folder, look); err != nil {
			t.Fatal(err)
		}
	}
	for kind, least := range map[string]int{"problems": 60} {
		if found[kind] < least {
			t.Errorf("only %d codes of %s were found: the pattern has lost them", found[kind], kind)
		}
	}
}
