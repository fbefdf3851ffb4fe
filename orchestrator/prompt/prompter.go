package prompt

import (
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/prompts"
)

// A prompt is a langchaingo prompt, whose templates are ours: langchaingo's own offer sprig's functions, of which env
// prints secrets.
var _ prompts.FormatPrompter = (*Prompt)(nil)

// format fills a prompt through langchaingo's interface, and returns its messages as this package names their roles.
func format(p prompts.FormatPrompter, values map[string]any) ([]Message, error) {
	filled, err := p.FormatPrompt(values)
	if err != nil {
		return nil, err
	}
	var messages []Message
	for _, m := range filled.Messages() {
		role := User
		switch m.GetType() {
		case llms.ChatMessageTypeSystem:
			role = System
		case llms.ChatMessageTypeAI:
			role = Assistant
		}
		messages = append(messages, Message{Role: role, Text: m.GetContent()})
	}
	return messages, nil
}
