package api

import (
	"slices"
	"strings"

	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
)

// The kinds of turn that are started in a fixed way.
const (
	formTurn     = "analysis" // the plugin's form: its inputs, with or without a PDF
	documentTurn = "document" // a PDF sent for a purpose, such as a requested document
	chatTurn     = "chat"     // a person's message
)

// take finds the turn of the manifest that accepts what a person sent. It returns the kind of that turn, the text to
// show as the person's message, and the values of the turn's inputs.
func (p PluginInfo) take(in handIn) (kind, text string, inputs map[string]string, err error) {
	switch {
	case in.kind != "":
		kind = in.kind
	case in.document != nil && in.document.Type != "":
		kind = documentTurn
	case in.text != "":
		kind = chatTurn
	default:
		kind = formTurn
	}
	of := func(kind string) int {
		return slices.IndexFunc(p.Turns, func(t PluginTurn) bool { return t.Kind == kind })
	}
	i := of(kind)
	if i < 0 && in.document == nil && of(chatTurn) >= 0 {
		return "", "", nil, blankMessage() // a document type was chosen, but nothing sent
	}
	if i < 0 {
		return "", "", nil, refuse("not_offered", problem.Params{"plugin": p.named(p.Title)})
	}
	if in.kind == "" { // a turn started by a button has no inputs
		if inputs, err = p.fill(p.Turns[i], in); err != nil {
			return "", "", nil, err
		}
	}
	text = in.text
	if kind != chatTurn {
		text = strings.TrimSpace(p.Message(kind, documentType(in), inputs))
	}
	if text == "" {
		text = p.read(inputs, p.Turns[i].Title)
	}
	return kind, text, inputs, nil
}

func documentType(in handIn) string {
	if in.document == nil {
		return ""
	}
	return in.document.Type
}

// fill checks the given values against the manifest, and returns them by input. For a form it returns a value for each
// of its inputs, "" if none was given.
func (p PluginInfo) fill(t PluginTurn, in handIn) (map[string]string, error) {
	for id := range in.inputs {
		if !slices.Contains(t.Inputs, id) {
			return nil, refuse("unknown_input", problem.Params{"plugin": p.named(p.Title)})
		}
	}
	filled := map[string]string{}
	file, anything := false, in.document != nil || in.text != ""
	for _, input := range p.Inputs {
		if !slices.Contains(t.Inputs, input.ID) {
			continue
		}
		text := strings.TrimSpace(plainText(in.inputs[input.ID]))
		switch {
		case input.Type == "pdf":
			file = true
			if in.document == nil && input.Required {
				return nil, refuse("no_file", nil)
			}
			continue
		case text == "" && input.Required:
			return nil, refuse("missing_input", problem.Params{"field": p.named(input.Title)})
		case len(text) > maxMessage:
			return nil, tooLong()
		case text != "" && input.Type == "choice" && !slices.ContainsFunc(input.Choices, func(o Option) bool {
			return o.ID == text
		}):
			return nil, refuse("unknown_choice",
				problem.Params{"field": p.named(input.Title), "choices": p.titles(input.Choices)})
		}
		anything = anything || text != ""
		if _, given := in.inputs[input.ID]; given ||
			t.Kind == formTurn { // in a chat, inputs that are not given stay unchanged
			filled[input.ID] = text
		}
	}
	switch {
	case in.document != nil && t.Kind == formTurn && !file:
		return nil, refuse("not_offered.file", problem.Params{"plugin": p.named(p.Title)})
	case !anything:
		return nil, refuse("blank_form", nil)
	}
	return filled, nil
}

// shown returns the value of an input as it is shown to people.
func (in PluginInput) shown(text string) string {
	for _, o := range in.Choices {
		if o.ID == text {
			return o.Title
		}
	}
	return text
}

// titles returns the titles of choices as a list inside a message.
func (p PluginInfo) titles(choices []Option) message.List {
	all := make([]message.Message, len(choices))
	for i, o := range choices {
		all[i] = p.named(o.Title)
	}
	return message.ListOf(", ", all)
}

// named returns a text of the manifest as a message, with its Hindi translation.
func (p PluginInfo) named(text string) message.Message {
	return message.Text(text, p.Translations["hi"][text])
}

// read returns a form as text: a line for each input, or the turn's title if only a file was sent.
func (p PluginInfo) read(inputs map[string]string, title string) string {
	var lines []string
	for _, in := range p.Inputs {
		if text := inputs[in.ID]; text != "" {
			lines = append(lines, in.Title+": "+in.shown(text))
		}
	}
	if len(lines) == 0 {
		return title
	}
	return strings.Join(lines, "\n")
}
