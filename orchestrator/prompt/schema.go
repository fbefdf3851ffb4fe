package prompt

import (
	"maps"
	"slices"
)

type schema map[string]any

const draft = "https://json-schema.org/draft/2020-12/schema"

// ManifestSchema returns the JSON Schema of plugin.yaml, for completion in editors. What depends on the whole folder,
// such as whether a prompt exists, only Check can find.
func ManifestSchema(reg Registry) map[string]any {
	step := schema{
		"id": schema{"type": "string", "pattern": promptName.String(), "description": "A name within the turn."},
		"kind": schema{"enum": sorted(reg.Steps),
			"description": "What the step does; prompts/README.md lists the kinds."},
		"title": schema{"type": "string", "description": "Shown while the step runs."},
	}
	var kinds []schema
	for _, kind := range sorted(reg.Steps) {
		takes := schema{"id": true, "kind": true, "title": true}
		var needs []string
		for _, name := range sorted(reg.Steps[kind].Settings) {
			s := reg.Steps[kind].Settings[name]
			field := schema{"type": "string"}
			switch {
			case s.Choices != nil:
				field = schema{"enum": s.Choices}
			case s.Prompt:
				field["description"] = "A prompt of this folder, by the name of its file without .md."
			}
			takes[name] = field
			if s.Required {
				needs = append(needs, name)
			}
		}
		then := schema{"properties": takes, "additionalProperties": false}
		if needs != nil {
			then["required"] = needs
		}
		kinds = append(kinds, schema{"if": schema{"properties": schema{"kind": schema{"const": kind}}}, "then": then})
	}
	turn := closed(schema{
		"title": schema{"type": "string", "description": "A name for this kind of turn."},
		"message": schema{"type": "string", "description": "Shown as the person's own words; {document_type} and the " +
			"like are filled in."},
		"apology": schema{"type": "string", "description": "Shown as the answer when the turn failed."},
		"inputs": schema{"type": "array", "items": schema{"type": "string"},
			"description": "The ids of the inputs that it takes; the form takes all when left out."},
		"steps": schema{"type": "array", "minItems": 1, "items": schema{
			"type": "object", "properties": step, "required": []string{"id", "kind", "title"}, "allOf": kinds}},
	}, "title", "apology", "steps")
	line := func(what string) schema { return schema{"type": "string", "description": what} }
	icon := schema{"type": "string", "pattern": iconName.String(),
		"description": "A name from lucide.dev, such as file-search."}
	if reg.Icons != nil {
		icon = schema{"enum": reg.Icons, "description": "A name from lucide.dev."}
	}
	words := schema{}
	for _, language := range Languages {
		words[language] = schema{"type": "object", "additionalProperties": schema{"type": "string"}}
	}
	translations := closed(words)
	translations["description"] = "The texts of this file in other languages: by the language, then by where each " +
		"stands, as turns.chat.title."
	turns := schema{}
	for kind := range reg.Turns {
		turns[kind] = schema{"$ref": "#/$defs/turn"}
	}
	root := closed(schema{
		"id":    schema{"type": "string", "pattern": pluginName.String(), "description": "The name of the folder."},
		"title": schema{"type": "string", "description": "The name on the tab."},
		"icon":  icon,
		"order": schema{"type": "integer", "minimum": 1, "maximum": 1000,
			"description": "The place among the tabs, smallest first."},
		"audience": schema{"enum": audiences, "description": "Who is offered it."},
		"view": closed(schema{
			"heading":     line("Above the form."),
			"hint":        line("A sentence below the heading."),
			"button":      line("Sends the form."),
			"placeholder": line("Of the box for questions."),
			"note":        line("Below that box, such as who has to review the answers."),
		}),
		"inputs": schema{"type": "array", "items": closed(schema{
			"id": schema{"type": "string", "pattern": promptName.String(),
				"description": "Prompts name it with input_ before it."},
			"type":        schema{"enum": []string{PDF, Words, Choice}},
			"title":       line("Of the field."),
			"hint":        line("A sentence beside the field."),
			"placeholder": line("Of a text; of a choice, that of the box for questions once one is chosen."),
			"required":    schema{"type": "boolean", "description": "true when left out"},
			"choices": schema{"type": "array", "minItems": 1, "description": "Of the type choice only.",
				"items": schema{"anyOf": []schema{{"type": "string"},
					closed(schema{"id": line("What prompts are told."), "title": line("What a person reads.")}, "id",
						"title")}}},
		}, "id", "type", "title")},
		"turns": schema{"type": "object", "properties": turns, "additionalProperties": false, "minProperties": 1,
			"description": "What happens after a person sent something of each kind."},
		"translations": translations,
	}, "id", "title", "icon", "order", "audience", "turns")
	root["$schema"], root["title"], root["$defs"] = draft, "plugin.yaml", schema{"turn": turn}
	return root
}

// FrontMatterSchema returns the JSON Schema of the front matter of a prompt, between the --- lines.
func FrontMatterSchema(reg Registry) map[string]any {
	variables := schema{}
	for name, v := range reg.Values {
		declaration := schema{
			"type":     schema{"const": string(v.Type)},
			"required": schema{"type": "boolean", "description": "true when left out; false: it may be missing"},
			"sample":   sampleSchema(v),
		}
		needs := []string{"type", "sample"}
		if v.Untrusted {
			declaration["untrusted"] = schema{"const": true,
				"description": "It comes from outside: a document, a person, a model."}
			needs = append(needs, "untrusted")
		} else {
			declaration["untrusted"] = schema{"const": false}
		}
		variables[name] = closed(declaration, needs...)
	}
	root := closed(schema{
		"purpose": schema{"type": "string", "description": "One sentence that says what this prompt is for."},
		"output":  schema{"enum": []string{"markdown", "text", "json"}},
		"model": closed(schema{
			"provider": schema{"enum": reg.Providers},
			"name":     schema{"type": "string"},
			"fallback": schema{"type": "array", "items": schema{"enum": reg.Providers},
				"description": "Providers to ask when that one fails."},
			"temperature": schema{"type": "number", "minimum": 0, "maximum": 2,
				"description": "Leave it out for models that refuse one."},
			"max_tokens": schema{"type": "integer", "minimum": 1, "maximum": 1_000_000,
				"description": "The longest answer."},
		}),
		"variables": schema{"type": "object", "properties": variables, "additionalProperties": false,
			"patternProperties": schema{"^" + InputPrefix: closed(schema{
				"type": schema{"const": string(Text)}, "required": schema{"type": "boolean"},
				"untrusted": schema{"type": "boolean"},
				"sample":    schema{"type": "string"},
			}, "type", "sample")},
			"description": "Every variable that the text uses, and no other."},
	}, "purpose", "variables")
	root["$schema"], root["title"] = draft, "The front matter of a prompt"
	return root
}

func sampleSchema(v Value) schema {
	text := schema{"type": "string"}
	switch v.Type {
	case Number:
		return schema{"type": "number"}
	case Conversation:
		return schema{"type": "array", "items": closed(schema{"role": schema{"enum": []string{User, Assistant}},
			"text": text}, "role", "text")}
	case List:
		if len(v.Fields) == 0 {
			return schema{"type": "array", "items": text}
		}
		fields := schema{}
		for _, f := range v.Fields {
			fields[f] = text
		}
		return schema{"type": "array", "items": closed(fields, v.Fields...)}
	}
	return text
}

// closed returns the schema of an object with exactly these properties.
func closed(properties schema, required ...string) schema {
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		s["required"] = required
	}
	return s
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
