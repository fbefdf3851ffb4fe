package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
)

// served returns one of our plugins.
func served(t testing.TB, id string) *prompt.Bundle {
	t.Helper()
	bundles, err := prompt.Load(os.DirFS(filepath.Join(localtest.Root(t), "prompts")), plugins.Registry())
	must(t, err)
	i := slices.IndexFunc(bundles, func(b *prompt.Bundle) bool { return b.Manifest().ID == id })
	if i < 0 {
		t.Fatalf("no plugin %s", id)
	}
	return bundles[i]
}

func asked(t testing.TB, p *prompt.Prompt, values map[string]any) []prompt.Message {
	t.Helper()
	messages, err := p.Render(values)
	must(t, err)
	return messages
}

// The texts that the specification fixes for AI Lawyer, word for word.
func TestLawyerFiles(t *testing.T) {
	b := served(t, "lawyer")
	m := b.Manifest()
	area := m.Inputs[0]
	if m.Title != "AI Lawyer" || m.Order != 1 || m.View.Placeholder != "Ask your legal question..." || area.Placeholder != "Ask about {input_area} law..." || area.Required {
		t.Errorf("manifest %+v", m)
	}
	want := []prompt.Option{{ID: "corporate", Title: "Corporate Law"}, {ID: "property", Title: "Property Law"}, {ID: "tax", Title: "Tax Law"}, {ID: "employment", Title: "Employment Law"}}
	if !slices.Equal(area.Choices, want) {
		t.Errorf("areas %v", area.Choices)
	}
	values := map[string]any{"message": "May I build?", "today": "2026-05-22"}
	if got := asked(t, b.Prompt("chat"), values); strings.Contains(got[0].Text, "As an AI legal expert") || strings.Contains(got[0].Text, "The area that was chosen") {
		t.Errorf("without an area: %q", got[0].Text)
	}
	values["input_area"] = "property"
	if got := asked(t, b.Prompt("chat"), values); !strings.Contains(got[0].Text, "As an AI legal expert in property, please provide advice on:\n\n[material: message]") {
		t.Errorf("in an area: %q", got[0].Text)
	}
	for _, name := range b.Prompts() {
		if name == "offline" {
			continue // shown when there is no model, so it is not a message to one
		}
		p := b.Prompt(name)
		system := asked(t, p, p.Samples())[0].Text
		if strings.Contains(system, "{{") || strings.Contains(system, "\n\n\n") || strings.Contains(system, "Required Document") {
			t.Errorf("%s: %q", name, system)
		}
	}
}

// Each type of document has its own prompt, for the whole document or for its continuation.
func TestDraftingPrompt(t *testing.T) {
	b := served(t, "drafting")
	kinds := b.Manifest().Inputs[0].Options()
	if !slices.Equal(kinds, []string{"Legal Notice", "Agreement", "Affidavit", "Legal Reply", "Petition"}) {
		t.Errorf("the types are %v", kinds)
	}
	for i, form := range []string{"a legal notice", "an agreement", "an affidavit", "a legal reply", "a petition"} {
		system := asked(t, b.Prompt("draft"), map[string]any{"input_type": kinds[i], "input_details": "A matter", "today": "2026-11-22"})[0].Text
		if !strings.Contains(system, "## The form of "+form+"\n") || strings.Count(system, "## The form of") != 1 || strings.Contains(system, "Go on exactly") || strings.Contains(system, "\n\n\n") {
			t.Errorf("%s: %q", kinds[i], system)
		}
	}
	on := asked(t, b.Prompt("draft"), map[string]any{"input_type": "Petition", "input_details": "A matter", "written": "# IN THE", "today": "2026-11-22"})[0].Text
	if !strings.Contains(on, "Go on exactly") || strings.Contains(on, "whole and ready") {
		t.Errorf("what was begun is gone on with: %q", on)
	}
}

// The texts that the specification fixes, word for word.
func TestNoticeManifest(t *testing.T) {
	m := served(t, "notice").Manifest()
	if m.Title != "Notice Analysis" || m.Order != 2 {
		t.Errorf("manifest %+v", m)
	}
	for kind, want := range map[string]struct {
		message, apology, absent string
		steps                    []string
	}{
		"analysis": {"I have uploaded a GST Show Cause Notice for analysis...", "I apologize, but I encountered an error while analyzing the notice. Please try again.", "empty", []string{"extract", "facts", "open_facts", "law", "prompt", "check", "required_documents"}},
		"document": {"I have uploaded Purchase register for analysis...", "I apologize, but I encountered an error while analyzing the document. Please try again.", "keep", []string{"extract", "law", "prompt", "check", "required_documents", "draft"}},
		"chat":     {"", "I apologize, but I encountered an error while processing your request. Please try again.", "keep", []string{"law", "prompt", "check", "required_documents"}},
	} {
		turn, ok := m.Turns[kind]
		if !ok {
			t.Errorf("no turn %s", kind)
			continue
		}
		if got := turn.UserMessage(map[string]string{"document_type": "Purchase register"}); got != want.message {
			t.Errorf("%s: message %q", kind, got)
		}
		if turn.Apology != want.apology {
			t.Errorf("%s: apology %q", kind, turn.Apology)
		}
		var kinds []string
		for _, s := range turn.Steps {
			kinds = append(kinds, s.Kind)
			if s.Kind == "required_documents" && s.Settings["absent"] != want.absent {
				t.Errorf("%s: absent %q", kind, s.Settings["absent"])
			}
		}
		if !slices.Equal(kinds, want.steps) {
			t.Errorf("%s: steps %v", kind, kinds)
		}
	}
}

func TestNoticePrompts(t *testing.T) {
	b := served(t, "notice")
	if got := b.Prompts(); !slices.Equal(got, []string{"analyse", "chat", "document", "earlier", "offline", "open", "part", "reply", "revise", "stances"}) {
		t.Errorf("prompts %v", got)
	}
	for _, name := range b.Prompts() {
		if name == "offline" {
			continue // shown when there is no model, so it is not a message to one
		}
		p := b.Prompt(name)
		messages := asked(t, p, p.Samples())
		system := messages[0].Text
		if messages[0].Role != "system" || messages[len(messages)-1].Role != "user" {
			t.Errorf("%s: messages from %s to %s", name, messages[0].Role, messages[len(messages)-1].Role)
		}
		if strings.Contains(system, "{{") || strings.Contains(system, "\n\n\n") {
			t.Errorf("%s: system message %q", name, system)
		}
		if asks := strings.Contains(system, "`Required Document(s):`"); asks != slices.Contains([]string{"analyse", "chat", "document"}, name) {
			t.Errorf("%s: asks for the list of documents: %t", name, asks)
		}
		if p.Model.Name != "" || p.Model.Temperature != nil {
			t.Errorf("%s: %+v: which model, and how warm, is for the configuration to say", name, p.Model)
		}
		if words := len(strings.Fields(system)); words > 1500 {
			t.Errorf("%s: %d words of instructions", name, words)
		}
	}
	whole := asked(t, b.Prompt("analyse"), map[string]any{"notice": "NOTICE", "facts": "{}", "today": "2026-11-20"})
	parts := asked(t, b.Prompt("analyse"), map[string]any{"notice": "", "parts": []string{"one", "two"}, "facts": "{}", "today": "2026-11-20"})
	if !strings.Contains(whole[0].Text, "[material: notice]") || strings.Contains(whole[0].Text, "read in parts") {
		t.Errorf("whole: %q", whole[0].Text)
	}
	if !strings.Contains(parts[0].Text, "[material: parts-2]") || strings.Contains(parts[0].Text, "[material: notice]") {
		t.Errorf("parts: %q", parts[0].Text)
	}
}

func BenchmarkLoadFolder(b *testing.B) {
	fsys := os.DirFS(filepath.Join(localtest.Root(b), "prompts"))
	for b.Loop() {
		if _, err := prompt.Load(fsys, plugins.Registry()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRenderLongNotice(b *testing.B) {
	p := served(b, "notice").Prompt("analyse")
	page := strings.Repeat("The noticee <claimed> [input] tax credit of Rs. 12,45,000/- under section 16(2)(c) of the Act.\n", 28) +
		strings.Repeat("करदाता ने इनपुट टैक्स क्रेडिट का अधिक दावा किया है।\n", 5)
	values := map[string]any{"notice": strings.Repeat(page, 300), "facts": strings.Repeat(`{"a": 1}`, 500), "today": "2026-11-20"}
	b.SetBytes(int64(len(values["notice"].(string))))
	for b.Loop() {
		if _, err := p.Render(values); err != nil {
			b.Fatal(err)
		}
	}
}
