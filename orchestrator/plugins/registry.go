package plugins

import (
	"munshi/orchestrator/api"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/model"
	"munshi/orchestrator/prompt"
)

// Registry returns everything that the files of a plugin may refer to: the values for prompts, and the step kinds of
// the turn workflow.
func Registry() prompt.Registry {
	return prompt.Registry{
		Values: map[string]prompt.Value{
			"notice":             {Type: prompt.Text, Untrusted: true},
			"facts":              {Type: prompt.Text, Untrusted: true},
			"document":           {Type: prompt.Text, Untrusted: true},
			"document_type":      {Type: prompt.Text, Untrusted: true},
			"message":            {Type: prompt.Text, Untrusted: true},
			"history":            {Type: prompt.Conversation, Untrusted: true},
			"required_documents": {Type: prompt.List, Fields: []string{"type", "reason", "state"}, Untrusted: true},
			"authorities": {
				Type:      prompt.List,
				Fields:    []string{"citation", "court", "date", "proposition"},
				Untrusted: true,
			},
			"law": {
				Type:   prompt.List,
				Fields: []string{"name", "heading", "says", "words", "from", "until", "status"},
			},
			"earlier":        {Type: prompt.Text, Untrusted: true},
			"part":           {Type: prompt.Text, Untrusted: true},
			"part_number":    {Type: prompt.Number},
			"part_count":     {Type: prompt.Number},
			"parts":          {Type: prompt.List, Untrusted: true},
			"draft":          {Type: prompt.Text, Untrusted: true},
			"contradictions": {Type: prompt.List, Fields: []string{"quote", "message"}, Untrusted: true},
			"open":           {Type: prompt.List},
			"today":          {Type: prompt.Text},
			"language":       {Type: prompt.Text},
			"allegations":    {Type: prompt.List, Fields: []string{"key", "number", "text"}, Untrusted: true},
			"section":        {Type: prompt.Text},
			"skeleton":       {Type: prompt.Text, Untrusted: true},
			"allegation":     {Type: prompt.Text, Untrusted: true},
			"stance":         {Type: prompt.Text},
			"answer":         {Type: prompt.Text, Untrusted: true},
			"reviews":        {Type: prompt.List, Fields: []string{"type", "text"}, Untrusted: true},
			"written":        {Type: prompt.Text, Untrusted: true},

			// For answers to questions of law without a model: see package answer.
			"speaks":     {Type: prompt.Text},
			"outside":    {Type: prompt.Text},
			"unsure":     {Type: prompt.Text},
			"judgment":   {Type: prompt.Text},
			"results":    {Type: prompt.List, Fields: answer.ResultFields()},
			"provisions": {Type: prompt.List, Fields: answer.ProvisionFields()},
			"issued":     {Type: prompt.List, Fields: answer.IssuedFields()},
			"asks":       {Type: prompt.List},

			// For texts of the offline engine: see package model.
			"said":  {Type: prompt.List, Fields: model.SayingFields()},
			"asked": {Type: prompt.List},
		},
		Turns: map[string][]string{
			"analysis": {"notice", "facts", "authorities", "today"},
			"reading":  {},
			"document": {
				"document",
				"document_type",
				"notice",
				"facts",
				"history",
				"required_documents",
				"authorities",
				"today",
			},
			"chat":    {"message", "notice", "facts", "history", "required_documents", "authorities", "today"},
			"reply":   {"notice", "facts", "history", "required_documents", "authorities", "today"},
			"figures": {"notice", "facts", "history", "required_documents", "authorities", "today"},
		},
		Forms: map[string][]string{
			"analysis": {prompt.PDF, prompt.Words, prompt.Choice},
			"chat":     {prompt.Choice},
		},
		Icons: api.Icons,
		Steps: map[string]prompt.StepKind{ // workflows/plugins.go says what runs each kind
			"extract": {},
			"facts":   {},
			"law":     {},
			"reconcile": {
				Settings: map[string]prompt.Setting{"tolerance": {Choices: []string{"1", "10", "100"}}},
			},
			"open_facts": {
				Settings: map[string]prompt.Setting{"prompt": {Required: true, Prompt: true, Gives: []string{"open"}}},
			},
			"prompt": {Settings: map[string]prompt.Setting{
				"prompt":         {Required: true, Prompt: true, Gives: []string{"parts", "written"}},
				"continue":       {Choices: []string{"yes"}},
				"part_prompt":    {Prompt: true, Gives: []string{"part", "part_number", "part_count"}},
				"history_prompt": {Prompt: true, Gives: []string{"part", "part_number", "part_count", "earlier"}},
				"offline": {Prompt: true,
					Gives: []string{"speaks", "outside", "unsure", "judgment", "results", "provisions", "issued",
						"asks", "said", "asked"}},
			}},
			"check": {
				Settings: map[string]prompt.Setting{
					"revise": {Prompt: true, Gives: []string{"draft", "contradictions"}},
				},
			},
			"required_documents": {
				Settings: map[string]prompt.Setting{"absent": {Required: true, Choices: []string{"empty", "keep"}}},
			},
			"save_draft": {Settings: map[string]prompt.Setting{"document": {Required: true, Input: true}}},
			"propose": {
				Settings: map[string]prompt.Setting{
					"prompt": {Required: true, Prompt: true, Gives: []string{"allegations"}},
				},
			},
			"draft": {Settings: map[string]prompt.Setting{
				"prompt": {
					Required: true,
					Prompt:   true,
					Gives:    []string{"section", "skeleton", "allegation", "stance", "answer", "reviews", "written"},
				},
				"draft": {Required: true, Choices: []string{"new", "existing"}},
			}},
		},
		Providers: model.Providers(),
		Blanks:    reply.Blanks(),
		// Paths of the web app (src/app/routes.tsx): a tab with this name could never be opened.
		Reserved: []string{"drafts", "firm", "firms", "law", "notices", "operators", "practice", "privacy", "receipts",
			"templates"},
	}
}
