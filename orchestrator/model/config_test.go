package model_test

import (
	"strings"
	"testing"
	"time"

	"munshi/orchestrator/model"
)

func TestNew(t *testing.T) {
	for name, cfg := range map[string]model.Config{
		"nothing":         {},
		"spaces":          {Key: " ", BaseURL: "\n"},
		"a model alone":   {Model: "gpt-4o", Provider: "openai"},
		"offline by name": {Provider: "offline", Key: key},
	} {
		e, err := model.New(cfg)
		if _, ok := e.(model.Offline); !ok || err != nil || !cfg.Offline() {
			t.Errorf("%s: %T, %v, want the offline engine", name, e, err)
		}
	}
	hot := 3.0
	for name, c := range map[string]struct {
		cfg  model.Config
		want string
	}{
		"provider":        {model.Config{Provider: "opnai", Key: key, Model: "m"}, "model.provider"},
		"no model":        {model.Config{Key: key}, "model.name"},
		"base URL":        {model.Config{BaseURL: "localhost:11434", Model: "m"}, "model.base_url"},
		"key in base URL": {model.Config{BaseURL: "https://u:" + key + "@example.org/v1", Model: "m"}, "model.key"},
		"key":             {model.Config{Key: key + "\n" + key, Model: "m"}, "model.key"},
		"context":         {model.Config{Key: key, Model: "m", ContextTokens: 1000}, "model.context_tokens"},
		"temperature":     {model.Config{Key: key, Model: "m", Temperature: &hot}, "model.temperature"},
		"timeout":         {model.Config{Key: key, Model: "m", IdleTimeout: -time.Second}, "timeouts"},
	} {
		_, err := model.New(c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		} else if strings.Contains(err.Error(), key) {
			t.Errorf("%s: error %v tells the key", name, err)
		}
	}
}

func TestInputTokens(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  model.Config
		max  int
		want int
	}{
		"offline":          {model.Config{}, 0, 0},
		"OpenAI":           {model.Config{Key: key}, 0, 128_000 - 2000 - 64},
		"compatible":       {model.Config{BaseURL: "http://localhost:11434/v1"}, 0, 32_768 - 2000 - 64},
		"configured":       {model.Config{Key: key, ContextTokens: 16_000, MaxTokens: 1000}, 0, 16_000 - 1000 - 64},
		"of the request":   {model.Config{Key: key, ContextTokens: 16_000}, 4000, 16_000 - 4000 - 64},
		"more than it has": {model.Config{Key: key, ContextTokens: 4000}, 8000, 1},
	} {
		if got := c.cfg.InputTokens(c.max); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// The counts are those of the tokenizers themselves (cl100k_base of GPT-4, and Llama 2's), measured
// once; the estimate may be up to a seventh below the larger one.
func TestEstimateTokens(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		times        int
		gpt4, llama2 int
	}{
		{"English", "The Noticee most respectfully submits that the demand proposed in the impugned notice is without jurisdiction and barred by limitation. ", 20, 481, 562},
		{"Hindi", "केन्द्रीय माल और सेवा कर अधिनियम, 2017 की धारा 73 के अधीन जारी कारण बताओ नोटिस के संबंध में आपको सूचित किया जाता है कि आपने इनपुट टैक्स क्रेडिट का अधिक दावा किया है। ", 20, 3161, 3442},
		{"Tamil", "சரக்கு மற்றும் சேவை வரிச் சட்டம் ", 20, 861, 702},
		{"amounts", "1234567890 12,45,000.00 ", 50, 650, 1202},
		{"identifiers", "27ZAPCS4821K1Z6 ZD271224038216Q ", 50, 900, 1452},
		{"a table", "| 1 | 2,18,460.00 | 1,37,630.00 |\n", 50, 1100, 1551},
		{"JSON", `{"what": "Reply in FORM DRC-06", "date": "2024-06-12", "basis": "printed", "page": 1},` + "\n", 30, 1050, 1351},
		{"pictures", "😀🎉 ", 30, 122, 272},
	} {
		got := model.EstimateTokens(strings.Repeat(c.text, c.times))
		if least := max(c.gpt4, c.llama2) * 85 / 100; got < least {
			t.Errorf("%s: %d, want at least %d", c.name, got, least)
		}
		if most := max(c.gpt4, c.llama2) * 2; got > most {
			t.Errorf("%s: %d, want at most %d", c.name, got, most)
		}
	}
	if got := model.EstimateTokens(""); got != 0 {
		t.Errorf("empty text: %d", got)
	}
}
