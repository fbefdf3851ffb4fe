package plugins

import (
	"encoding/json"
	"maps"
	"slices"

	"munshi/orchestrator/prompt"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// Render fills in a prompt of a bundle.
func Render(b *prompt.Bundle, name string, values map[string]any) (workflows.Question, error) {
	given, values := maps.Clone(values), maps.Clone(values)
	values["inputs"] = fillInputs(b.Manifest(), values, given)
	messages, err := b.Render(name, ShortFacts(given))
	if err != nil {
		return workflows.Question{}, err
	}
	p := b.Prompt(name)
	q := workflows.Question{
		Prompt:      p.Name,
		SHA:         p.SHA,
		Bundle:      b.SHA(),
		Values:      values,
		Provider:    p.Model.Provider,
		Fallback:    p.Model.Fallback,
		Model:       p.Model.Name,
		Temperature: p.Model.Temperature,
		MaxTokens:   p.Model.MaxTokens,
	}
	if own := b.Prompt(offlineText(b.Manifest(), name)); own != nil {
		q.Offline = own.Write
	}
	q.Private, _ = values[workflows.PrivateValue].([]string)
	for _, m := range messages {
		q.Messages = append(q.Messages, turns.Utterance{Role: m.Role, Text: m.Text})
	}
	return q, nil
}

// fillInputs returns the plugin's inputs under their names in prompts, and their texts with titles for the offline
// engine, which reads no prompt.
func fillInputs(m prompt.Manifest, values, given map[string]any) []map[string]string {
	words, _ := values["inputs"].(map[string]string)
	var titled []map[string]string
	for _, in := range m.Inputs {
		if in.Type == prompt.PDF {
			given[prompt.InputPrefix+in.ID] = values["notice"]
			continue
		}
		given[prompt.InputPrefix+in.ID] = words[in.ID]
		if text := words[in.ID]; text != "" {
			choice := ""
			if i := slices.Index(in.Options(), text); i >= 0 {
				choice, text = text, in.Choices[i].Title
			}
			titled = append(titled, map[string]string{"id": in.ID, "title": in.Title, "text": text, "choice": choice})
		}
	}
	return titled
}

// How much of the notice's allegations is repeated in the facts for a model; it also gets the notice itself, or notes
// on its parts.
const (
	promptParagraphs = 60
	promptParagraph  = 160 // runes
)

// ShortFacts returns the values with facts shortened for prompts.
func ShortFacts(values map[string]any) map[string]any {
	facts, ok := values["facts"].(string)
	if !ok {
		return values
	}
	values = maps.Clone(values)
	_, part := values["part"]
	values["facts"] = promptFacts(facts, part)
	return values
}

// promptFacts shortens facts for prompts. It drops where each fact was read, which is half of their length, what only
// a person can settle, and all paragraphs except allegations and concessions, which it cuts, so that the facts of a
// long notice leave room for the notice itself. For notes on a part it also drops the reckoning and the points.
func promptFacts(facts string, part bool) string {
	var fields map[string]any
	if json.Unmarshal([]byte(facts), &fields) != nil {
		return facts
	}
	left := []string{"evidence", "candidates", "attention", "watch"}
	if part {
		left = append(left, "reckoning", "points")
	}
	for _, name := range left {
		delete(fields, name)
	}
	if paragraphs, ok := fields["paragraphs"].([]any); ok {
		fields["paragraphs"] = promptParagraphsOf(paragraphs)
	}
	points, _ := fields["points"].([]any)
	flags, _ := fields["flags"].([]any)
	// models get English only, in words
	for _, item := range slices.Concat(points, flags, []any{fields["reply_due"]}) {
		if item, ok := item.(map[string]any); ok {
			delete(item, "hi")
			delete(item, "said")
		}
	}
	short, err := json.Marshal(fields)
	if err != nil {
		return facts
	}
	return string(short)
}

// promptParagraphsOf returns the allegations and concessions, cut and without repetitions, with their non-zero
// amounts.
func promptParagraphsOf(paragraphs []any) []any {
	out, seen := []any{}, map[string]bool{}
	for _, p := range paragraphs {
		p, ok := p.(map[string]any)
		if !ok || len(out) == promptParagraphs {
			continue
		}
		if kind, said := p["kind"].(string); said && kind != "charge" && kind != "concession" {
			continue
		}
		text, _ := p["text"].(string)
		if seen[text] {
			continue
		}
		seen[text] = true
		if r := []rune(text); len(r) > promptParagraph {
			p["text"] = string(r[:promptParagraph]) + "…"
		}
		amounts, _ := p["amounts"].([]any)
		for _, a := range amounts {
			if a, ok := a.(map[string]any); ok {
				maps.DeleteFunc(a, func(_ string, v any) bool { return v == 0.0 })
			}
		}
		out = append(out, p)
	}
	return out
}

// offlineText returns the template for the answer to a prompt if no model is configured; "" for none.
func offlineText(m prompt.Manifest, name string) string {
	for _, turn := range m.Turns {
		for _, s := range turn.Steps {
			if s.Settings["prompt"] == name && s.Settings["offline"] != "" {
				return s.Settings["offline"]
			}
		}
	}
	return ""
}
