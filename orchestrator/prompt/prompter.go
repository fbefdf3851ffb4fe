package prompt

import (
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/prompts"
)

// A prompt is a langchaingo prompt, but with templates of ours: langchaingo's own include the functions of sprig, of
// which env could print secrets.
var _ prompts.FormatPrompter = (*Prompt)(nil)

// format fills in a prompt through langchaingo's interface, and returns its messages with this package's roles.
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
