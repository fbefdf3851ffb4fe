package plugins

import (
	"cmp"
	"maps"
	"slices"

	"munshi/orchestrator/api"
	"munshi/orchestrator/prompt"
)

// infos returns what the API shows of bundles, in the order of their manifests. Plugins only for members or operators
// are not supported yet, so they are left out.
func infos(bundles []*prompt.Bundle) []api.PluginInfo {
	list := []api.PluginInfo{}
	for _, b := range bundles {
		if m := b.Manifest(); m.Audience == "everyone" {
			info := Info(m)
			info.Authorities = knowsAuthorities(b)
			list = append(list, info)
		}
	}
	slices.SortFunc(list, func(a, b api.PluginInfo) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// knowsAuthorities reports whether a prompt of the bundle uses the authorities that a person supplied.
func knowsAuthorities(b *prompt.Bundle) bool {
	return slices.ContainsFunc(b.Prompts(), func(name string) bool {
		_, known := b.Prompt(name).Variables["authorities"]
		return known
	})
}

// Info returns what the API shows of a plugin, from its manifest.
func Info(m prompt.Manifest) api.PluginInfo {
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
		info.Turns = append(
			info.Turns,
			api.PluginTurn{Kind: kind, Title: t.Title, Inputs: append([]string{}, t.Inputs...)},
		)
	}
	return info
}
