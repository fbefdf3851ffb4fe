package prompt_test

import (
	"errors"
	"strings"
	"testing"

	"munshi/orchestrator/prompt"
)

const formManifest = `id: demo
title: Demo
icon: scale
order: 3
audience: everyone
view: {heading: Begin, hint: A sentence., button: Go, placeholder: Ask, note: Mind}
inputs:
  - {id: paper, type: pdf, title: The paper, required: false}
  - {id: side, type: choice, title: Side, choices: [Buyer, Seller]}
  - {id: notes, type: text, title: Notes, required: false, placeholder: such as}
turns:
  analysis:
    title: Review
    message: "For {input_side}."
    apology: Please try again.
    steps: [{id: answer, kind: prompt, title: Thinking, prompt: review}]
  chat:
    title: Question
    apology: Please try again.
    inputs: [side]
    steps: [{id: answer, kind: prompt, title: Thinking, prompt: chat}]
`

const formReview = `---
purpose: Reviews.
variables:
  input_side: {type: text, sample: Buyer}
  input_paper: {type: text, untrusted: true, required: false, sample: a lease}
  input_notes: {type: text, untrusted: true, required: false, sample: short}
---
For {{ .input_side }}{{ if eq .input_side "Seller" }}, who is paid{{ end }}.
{{ .input_paper }}
{{ .input_notes }}
`

const formChat = `---
purpose: Answers.
variables:
  message: {type: text, untrusted: true, sample: why}
  input_side: {type: text, sample: Buyer}
---
For {{ .input_side }}.
{{ .message }}
`

func formRegistry() prompt.Registry {
	reg := registry()
	reg.Forms = map[string][]string{"analysis": {prompt.PDF, prompt.Words, prompt.Choice}, "chat": {prompt.Choice}}
	reg.Icons = []string{"scale", "gavel"}
	return reg
}

// A plugin's inputs become variables of its prompts; a choice has the manifest's own words, and everything else is
// untrusted.
func TestInputsAreVariables(t *testing.T) {
	bundles, err := prompt.Load(folder(map[string]string{"demo/plugin.yaml": formManifest, "demo/review.md": formReview, "demo/chat.md": formChat}), formRegistry())
	if err != nil {
		t.Fatal(err)
	}
	m := bundles[0].Manifest()
	if got := strings.Join(m.Turns["analysis"].Inputs, " "); got != "paper side notes" {
		t.Errorf("the form takes %q, want all of the inputs", got)
	}
	if got := strings.Join(m.Turns["chat"].Inputs, " "); got != "side" {
		t.Errorf("a question takes %q", got)
	}
	if got := m.Turns["analysis"].UserMessage(map[string]string{"input_side": "Seller"}); got != "For Seller." {
		t.Errorf("the person is said to say %q", got)
	}
	messages, err := bundles[0].Render("review", map[string]any{"input_side": "Seller", "input_paper": "the lease", "input_notes": ""})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(messages[0].Text, "For Seller, who is paid.") || strings.Contains(messages[0].Text, "the lease") {
		t.Errorf("the system says %q", messages[0].Text)
	}
	if _, err := bundles[0].Render("review", map[string]any{"input_paper": "the lease"}); err == nil {
		t.Error("a required input can be missing")
	}
}

func TestInputProblems(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, want string }{
		"icon":                   {"plugin.yaml", "icon: scale", "icon: scael", `demo/plugin.yaml:3:7: icon cannot be "scael": use "gavel" or "scale". Did you mean "scale"?`},
		"setting of the view":    {"plugin.yaml", "button: Go", "buton: Go", `demo/plugin.yaml:6:43: view has no setting "buton". Did you mean "button"?`},
		"required in words":      {"plugin.yaml", "title: The paper, required: false", "title: The paper, required: no way", `demo/plugin.yaml:8:56: required is true or false.`},
		"placeholder of a file":  {"plugin.yaml", "title: The paper,", "title: The paper, placeholder: x,", `demo/plugin.yaml:8:59: An input of the type pdf has no “placeholder”.`},
		"placeholder of another": {"plugin.yaml", "title: Side,", "title: Side, placeholder: \"Ask {input_notes}\",", `demo/plugin.yaml:9:56: This can only name the choice itself: {input_side}.`},
		"choice without a title": {"plugin.yaml", "[Buyer, Seller]", "[{id: buyer}, Seller]", `demo/plugin.yaml:9:53: A choice needs "title".`},
		"choice of a choice":     {"plugin.yaml", "[Buyer, Seller]", "[Buyer, Buyer]", `demo/plugin.yaml:9:60: The choice "Buyer" stands here twice.`},
		"two files":              {"plugin.yaml", "id: notes, type: text, title: Notes, required: false, placeholder: such as", "id: notes, type: pdf, title: Notes, required: false", `demo/plugin.yaml:10:5: A plugin has one input of the type pdf`},
		"the same id":            {"plugin.yaml", "id: notes", "id: side", `demo/plugin.yaml:10:5: Two inputs have the id "side".`},
		"nobody takes it":        {"plugin.yaml", "    message:", "    inputs: [paper, side]\n    message:", `demo/plugin.yaml:10:5: No turn takes the input "notes": name it under “inputs” of one.`},
		"unknown input":          {"plugin.yaml", "inputs: [side]", "inputs: [sides]", `demo/plugin.yaml:20:14: There is no input "sides". Did you mean "side"?`},
		"input named twice":      {"plugin.yaml", "inputs: [side]", "inputs: [side, side]", `demo/plugin.yaml:20:20: The input "side" stands here twice.`},
		"file with a question":   {"plugin.yaml", "inputs: [side]", "inputs: [side, paper]", `demo/plugin.yaml:20:20: A turn of the kind chat takes no input of the type pdf.`},
		"message names a file":   {"plugin.yaml", "{input_side}", "{input_paper}", `demo/plugin.yaml:14:14: The turn analysis has no text called "input_paper".`},
		"message misspelt":       {"plugin.yaml", "{input_side}", "{input_sid}", `demo/plugin.yaml:14:14: The turn analysis has no text called "input_sid". Did you mean "input_side"?`},
		"may be missing":         {"review.md", "input_notes: {type: text, untrusted: true, required: false", "input_notes: {type: text, untrusted: true", `demo/plugin.yaml:16:65: The prompt review requires "input_notes", which a turn of the kind analysis does not have here. It may be missing: say “required: false” there.`},
		"not the turn's":         {"plugin.yaml", "    inputs: [side]\n", "", `demo/plugin.yaml:20:65: The prompt chat requires "input_side", which a turn of the kind chat does not have here. It may be missing`},
		"trusted by mistake":     {"review.md", "input_notes: {type: text, untrusted: true,", "input_notes: {type: text,", `demo/review.md:6:16: The variable "input_notes" comes from outside: say “untrusted: true”.`},
		"variable misspelt":      {"review.md", "  input_notes:", "  input_note:", `demo/review.md:6:3: There is no variable "input_note". Did you mean "input_notes"?`},
		"never that choice":      {"review.md", `"Seller"`, `"Selle"`, `demo/review.md:8:43: {{ .input_side }} is never "Selle": it is "Buyer" or "Seller". Did you mean "Seller"?`},
		"from outside in a line": {"review.md", "For {{ .input_side }}", "For {{ .input_notes }}", `demo/review.md:8:8: {{ .input_notes }} must stand on a line of its own`},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"demo/plugin.yaml": formManifest, "demo/review.md": formReview, "demo/chat.md": formChat}
			before := files["demo/"+c.file]
			files["demo/"+c.file] = strings.Replace(before, c.old, c.new, 1)
			if files["demo/"+c.file] == before {
				t.Fatal("the test changes nothing")
			}
			_, err := prompt.Load(folder(files), formRegistry())
			var found prompt.Problems
			if !errors.As(err, &found) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("problems\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

// The inputs of one plugin are not variables of another.
func TestInputsAreTheirPluginsOwn(t *testing.T) {
	_, err := prompt.Load(folder(map[string]string{
		"demo/plugin.yaml": formManifest, "demo/review.md": formReview, "demo/chat.md": formChat,
		"zzz/plugin.yaml": strings.NewReplacer("demo", "zzz", "side", "face").Replace(formManifest), "zzz/review.md": formReview, "zzz/chat.md": formChat,
	}), formRegistry())
	if err == nil || !strings.Contains(err.Error(), `zzz/review.md:4:3: There is no variable "input_side".`) {
		t.Errorf("problems %v", err)
	}
}
