package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"munshi/orchestrator/api"
	"munshi/orchestrator/gst/reply"
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
			"authorities":        {Type: prompt.List, Fields: []string{"citation", "court", "date", "proposition"}, Untrusted: true},
			"earlier":            {Type: prompt.Text, Untrusted: true},
			"part":               {Type: prompt.Text, Untrusted: true},
			"part_number":        {Type: prompt.Number},
			"part_count":         {Type: prompt.Number},
			"parts":              {Type: prompt.List, Untrusted: true},
			"draft":              {Type: prompt.Text, Untrusted: true},
			"contradictions":     {Type: prompt.List, Fields: []string{"quote", "message"}, Untrusted: true},
			"today":              {Type: prompt.Text},
			"language":           {Type: prompt.Text},
			"allegations":        {Type: prompt.List, Fields: []string{"key", "number", "text"}, Untrusted: true},
			"section":            {Type: prompt.Text},
			"skeleton":           {Type: prompt.Text, Untrusted: true},
			"allegation":         {Type: prompt.Text, Untrusted: true},
			"stance":             {Type: prompt.Text},
			"answer":             {Type: prompt.Text, Untrusted: true},
			"reviews":            {Type: prompt.List, Fields: []string{"type", "text"}, Untrusted: true},
			"written":            {Type: prompt.Text, Untrusted: true},
		},
		Turns: map[string][]string{
			"analysis": {"notice", "facts", "authorities", "today"},
			"document": {"document", "document_type", "notice", "facts", "history", "required_documents", "authorities", "today"},
			"chat":     {"message", "notice", "facts", "history", "required_documents", "authorities", "today"},
			"reply":    {"notice", "facts", "history", "required_documents", "authorities", "today"},
		},
		Forms: map[string][]string{
			"analysis": {prompt.PDF, prompt.Words, prompt.Choice},
			"chat":     {prompt.Choice},
		},
		Icons: api.Icons,
		Steps: map[string]prompt.StepKind{ // what runs each stands in workflows/plugins.go
			"extract": {},
			"facts":   {},
			"prompt": {Settings: map[string]prompt.Setting{
				"prompt":         {Required: true, Prompt: true, Gives: []string{"parts", "written"}},
				"continue":       {Choices: []string{"yes"}},
				"part_prompt":    {Prompt: true, Gives: []string{"part", "part_number", "part_count"}},
				"history_prompt": {Prompt: true, Gives: []string{"part", "part_number", "part_count", "earlier"}},
			}},
			"check":              {Settings: map[string]prompt.Setting{"revise": {Prompt: true, Gives: []string{"draft", "contradictions"}}}},
			"required_documents": {Settings: map[string]prompt.Setting{"absent": {Required: true, Choices: []string{"empty", "keep"}}}},
			"save_draft":         {Settings: map[string]prompt.Setting{"document": {Required: true, Input: true}}},
			"propose":            {Settings: map[string]prompt.Setting{"prompt": {Required: true, Prompt: true, Gives: []string{"allegations"}}}},
			"draft": {Settings: map[string]prompt.Setting{
				"prompt": {Required: true, Prompt: true, Gives: []string{"section", "skeleton", "allegation", "stance", "answer", "reviews", "written"}},
				"draft":  {Required: true, Choices: []string{"new", "existing"}},
			}},
		},
		Providers: model.Providers(),
		Blanks:    reply.Blanks(),
		Reserved:  []string{"notices", "operators", "templates"}, // addresses of the web app, src/app/routes.tsx
	}
}

// render fills a prompt of a bundle.
func render(b *prompt.Bundle, name string, values map[string]any) (workflows.Question, error) {
	given, values := maps.Clone(values), maps.Clone(values)
	values["inputs"] = fillInputs(b.Manifest(), values, given)
	messages, err := b.Render(name, shortFacts(given))
	if err != nil {
		return workflows.Question{}, err
	}
	p := b.Prompt(name)
	q := workflows.Question{Prompt: p.Name, SHA: p.SHA, Bundle: b.SHA(), Values: values, Provider: p.Model.Provider, Fallback: p.Model.Fallback, Model: p.Model.Name,
		Temperature: p.Model.Temperature, MaxTokens: p.Model.MaxTokens}
	q.Private, _ = values[workflows.PrivateValue].([]string)
	for _, m := range messages {
		q.Messages = append(q.Messages, workflows.Utterance{Role: m.Role, Text: m.Text})
	}
	return q, nil
}

// fillInputs gives prompts the plugin's inputs under the names that they use, and the words among them, with their titles, to
// an engine that reads no prompt.
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
			if i := slices.Index(in.Options(), text); i >= 0 {
				text = in.Choices[i].Title
			}
			titled = append(titled, map[string]string{"id": in.ID, "title": in.Title, "text": text})
		}
	}
	return titled
}

// How much of the notice's own allegations the facts repeat to a model, which has the notice or the notes on its parts.
const (
	promptParagraphs = 60
	promptParagraph  = 160 // runes
)

// shortFacts gives the values with the facts as prompts get them.
func shortFacts(values map[string]any) map[string]any {
	facts, ok := values["facts"].(string)
	if !ok {
		return values
	}
	values = maps.Clone(values)
	_, part := values["part"]
	values["facts"] = promptFacts(facts, part)
	return values
}

// promptFacts leaves out of the facts where each was read, which is half of their length, and shortens the allegations, so
// that the facts of a long notice leave room for it. Notes on a part need no reckoning.
func promptFacts(facts string, part bool) string {
	var fields map[string]any
	if json.Unmarshal([]byte(facts), &fields) != nil {
		return facts
	}
	delete(fields, "evidence")
	if part {
		delete(fields, "reckoning")
	}
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

// pluginInfos is what the API shows of bundles, in the order of their manifests. Nobody can sign in yet: what is not for
// everyone is for no one.
func pluginInfos(bundles []*prompt.Bundle) []api.PluginInfo {
	infos := []api.PluginInfo{}
	for _, b := range bundles {
		if m := b.Manifest(); m.Audience == "everyone" {
			infos = append(infos, pluginInfo(m))
		}
	}
	slices.SortFunc(infos, func(a, b api.PluginInfo) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	return infos
}

func pluginInfo(m prompt.Manifest) api.PluginInfo {
	info := api.PluginInfo{
		Plugin: api.Plugin{ID: m.ID, Title: m.Title, Icon: m.Icon, Order: m.Order, View: api.PluginView(m.View),
			Inputs: []api.PluginInput{}, Turns: []api.PluginTurn{}, Translations: m.Translations},
		Message: func(kind, documentType string, inputs map[string]string) string {
			values := map[string]string{"document_type": documentType}
			for id, text := range inputs {
				values[prompt.InputPrefix+id] = text
			}
			return m.Turns[kind].UserMessage(values)
		},
	}
	for _, in := range m.Inputs {
		choices := []api.Option{}
		for _, o := range in.Choices {
			choices = append(choices, api.Option(o))
		}
		info.Inputs = append(info.Inputs, api.PluginInput{ID: in.ID, Type: in.Type, Title: in.Title, Hint: in.Hint,
			Placeholder: in.Placeholder, Required: in.Required, Choices: choices})
	}
	for _, kind := range slices.Sorted(maps.Keys(m.Turns)) {
		t := m.Turns[kind]
		info.Turns = append(info.Turns, api.PluginTurn{Kind: kind, Title: t.Title, Inputs: append([]string{}, t.Inputs...)})
	}
	return info
}
