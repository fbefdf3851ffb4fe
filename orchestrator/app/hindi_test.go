package app_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
)

// Every text of the built-in plugins has a Hindi translation, and there is no translation of a text that no
// longer exists.
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

// For a person who uses Hindi, every prompt whose answer people read asks for Hindi; otherwise no prompt does.
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
