package main

import (
	"encoding/json"
	"maps"
	"slices"

	"munshi/orchestrator/api"
	"munshi/orchestrator/model"
	"munshi/orchestrator/prompt"
	"munshi/workflows"
)

// registry is the closed list of what the files of a plugin may name: the values that prompts are given, and the step
// kinds of the turn workflow.
func registry() prompt.Registry {
	return prompt.Registry{
		Values: map[string]prompt.Value{
			"notice":             {Type: prompt.Text, Untrusted: true},
			"facts":              {Type: prompt.Text, Untrusted: true},
			"document":           {Type: prompt.Text, Untrusted: true},
			"document_type":      {Type: prompt.Text, Untrusted: true},
			"message":            {Type: prompt.Text, Untrusted: true},
			"history":            {Type: prompt.Conversation, Untrusted: true},
			"required_documents": {Type: prompt.List, Fields: []string{"type", "reason", "state"}, Untrusted: true},
			"part":               {Type: prompt.Text, Untrusted: true},
			"part_number":        {Type: prompt.Number},
			"part_count":         {Type: prompt.Number},
			"parts":              {Type: prompt.List, Untrusted: true},
			"today":              {Type: prompt.Text},
		},
		Turns: map[string][]string{
			"analysis": {"notice", "facts", "today"},
			"document": {"document", "document_type", "notice", "facts", "history", "required_documents", "today"},
			"chat":     {"message", "notice", "facts", "history", "required_documents", "today"},
		},
		Steps: map[string]prompt.StepKind{
			"extract": {},
			"facts":   {},
			"prompt": {Settings: map[string]prompt.Setting{
				"prompt":      {Required: true, Prompt: true, Gives: []string{"parts"}},
				"part_prompt": {Prompt: true, Gives: []string{"part", "part_number", "part_count"}},
			}},
			"check":              {},
			"required_documents": {Settings: map[string]prompt.Setting{"absent": {Required: true, Choices: []string{"empty", "keep"}}}},
		},
		Providers: model.Providers(),
	}
}

// render fills a prompt of a bundle.
func render(b *prompt.Bundle, name string, values map[string]any) (workflows.Question, error) {
	given := maps.Clone(values)
	if facts, ok := values["facts"].(string); ok {
		given["facts"] = promptFacts(facts)
	}
	messages, err := b.Render(name, given)
	if err != nil {
		return workflows.Question{}, err
	}
	p := b.Prompt(name)
	q := workflows.Question{Prompt: p.Name, SHA: p.SHA, Bundle: b.SHA(), Values: values, Provider: p.Model.Provider, Fallback: p.Model.Fallback, Model: p.Model.Name,
		Temperature: p.Model.Temperature, MaxTokens: p.Model.MaxTokens}
	for _, m := range messages {
		q.Messages = append(q.Messages, workflows.Utterance{Role: m.Role, Text: m.Text})
	}
	return q, nil
}

// How much of the notice's own allegations the facts repeat to a model, which has the notice or the notes on its parts.
const (
	promptParagraphs = 60
	promptParagraph  = 160 // runes
)

// promptFacts leaves out of the facts where each was read, which is half of their length, and shortens the allegations, so
// that the facts of a long notice leave room for it.
func promptFacts(facts string) string {
	var fields map[string]any
	if json.Unmarshal([]byte(facts), &fields) != nil {
		return facts
	}
	delete(fields, "evidence")
	if paragraphs, ok := fields["paragraphs"].([]any); ok {
		for _, p := range paragraphs {
			if p, ok := p.(map[string]any); ok {
				text, _ := p["text"].(string)
				if r := []rune(text); len(r) > promptParagraph {
					p["text"] = string(r[:promptParagraph]) + "…"
				}
			}
		}
		fields["paragraphs"] = paragraphs[:min(len(paragraphs), promptParagraphs)]
	}
	short, err := json.Marshal(fields)
	if err != nil {
		return facts
	}
	return string(short)
}

// pluginInfos is what the API shows of bundles, in the order of their manifests.
func pluginInfos(bundles []*prompt.Bundle) []api.PluginInfo {
	infos := make([]api.PluginInfo, len(bundles))
	for i, b := range bundles {
		m := b.Manifest()
		infos[i] = api.PluginInfo{
			Plugin: api.Plugin{ID: m.ID, Title: m.Title, Icon: m.Icon, Order: m.Order, Turns: []api.PluginTurn{}},
			Message: func(kind, documentType string) string {
				return m.Turns[kind].UserMessage(map[string]string{"document_type": documentType})
			},
		}
		for _, kind := range slices.Sorted(maps.Keys(m.Turns)) {
			infos[i].Turns = append(infos[i].Turns, api.PluginTurn{Kind: kind, Title: m.Turns[kind].Title})
		}
	}
	slices.SortFunc(infos, func(a, b api.PluginInfo) int { return a.Order - b.Order })
	return infos
}
