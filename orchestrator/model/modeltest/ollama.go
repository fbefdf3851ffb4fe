package modeltest

import (
	"encoding/json"
	"net/http"
	"time"
)

func ollama() format {
	return format{
		answers: "/api/chat", lists: "/api/tags", key: authorization, keyStatus: 401,
		decode: decodeOllama, accept: acceptOllama, refuse: refuseOllama,
		list: func(w http.ResponseWriter, models []string) {
			list := []any{}
			for _, name := range models {
				list = append(list, map[string]any{"name": name, "model": name, "modified_at": "2025-05-10T08:06:48Z",
					"size": 3_338_801_804})
			}
			write(w, map[string]any{"models": list})
		},
		voice: func(w http.ResponseWriter, req Request, _ string) voice { return &lines{w: w, model: req.Model} },
	}
}

func decodeOllama(body []byte) (Request, error) {
	var sent struct {
		Model    string
		Messages []Message
		Stream   *bool
		Options  struct {
			Temperature *float64
			NumPredict  int `json:"num_predict"`
		}
	}
	err := json.Unmarshal(body, &sent)
	return Request{Model: sent.Model, Messages: sent.Messages, Stream: sent.Stream == nil || *sent.Stream,
		Temperature: sent.Options.Temperature, MaxTokens: sent.Options.NumPredict}, err
}

func acceptOllama(req Request) *fault {
	if req.Model == "" {
		return &fault{status: 400, about: "model is required"}
	}
	return nil
}

func refuseOllama(t fault) string {
	message := t.about
	switch t.what {
	case badKey:
		message = "unauthorized"
	case unknownModel:
		message = "model '" + t.about + "' not found"
	case tooLong:
		message = "input length exceeds maximum context length"
	case limited:
		message = "too many requests"
	case broken:
		message = "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"
		if t.status == 503 {
			message = "server busy, please try again. maximum pending requests exceeded"
		}
	}
	return encode(map[string]any{"error": message})
}

// lines writes Ollama's stream: one JSON object on each line.
type lines struct {
	w     http.ResponseWriter
	model string
}

func (l *lines) send(fields map[string]any) {
	l.w.Header().Set("Content-Type", "application/x-ndjson")
	fields["model"], fields["created_at"] = l.model, time.Now().UTC().Format(time.RFC3339Nano)
	line(l.w, "", fields, "\n")
}

func (l *lines) begin(usage) {}

func (l *lines) say(token string) {
	l.send(map[string]any{"message": map[string]any{"role": "assistant", "content": token}, "done": false})
}

func (l *lines) end(finish string, use usage, counted bool) {
	last := map[string]any{"message": map[string]any{"role": "assistant", "content": ""}, "done": true,
		"done_reason": finish, "total_duration": 4_883_583_458, "load_duration": 1_334_875,
		"prompt_eval_duration": 342_546_000, "eval_duration": 4_535_599_000}
	if counted {
		last["prompt_eval_count"], last["eval_count"] = use.Prompt, use.Completion
	}
	l.send(last)
}

func (l *lines) fault() {
	line(l.w, "", map[string]any{"error": "an error was encountered while running the model: unexpected EOF"}, "\n")
}
