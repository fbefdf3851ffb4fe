package answer_test

import (
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/law/faq"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
)

const today = "2026-11-23"

type question struct {
	Half, Q, Language string
	Cites, Says       []string
	Outside           bool
}

func questions(t *testing.T) []question {
	t.Helper()
	data, err := os.ReadFile("testdata/questions.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []question
	if err := yaml.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// text is the lawyer's text for answers without a model, as it is in the prompts folder.
func text(t *testing.T) *prompt.Prompt {
	t.Helper()
	folders, err := prompt.ReadDir("../../../prompts")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(folders, func(f prompt.Folder) bool { return f.Plugin == "lawyer" })
	b, err := folders[i].Check(plugins.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return b.Prompt("offline")
}

func answers(library string) *answer.Answers {
	s := statute.New(statute.Options{Library: library, Today: func() string { return today }})
	tables := law.Built()
	return answer.New(func() *statute.Law { return s }, func() *law.Tables { return tables },
		faq.New(nil, slog.New(slog.DiscardHandler)))
}

// ask returns the answer's values and its text.
func ask(t *testing.T, a *answer.Answers, written *prompt.Prompt, q, area string) (map[string]any, string) {
	t.Helper()
	values, err := a.Values(q, area, law.ParseDay(today), "")
	if err != nil {
		t.Fatal(err)
	}
	said, err := written.Write(values)
	if err != nil {
		t.Fatal(err)
	}
	return values, said
}

// Every question of ours is answered in its language, from its provision, with what it turns on. The half that was held
// back had 14 of 15 right when it was asked for the first time.
func TestQuestions(t *testing.T) {
	a, written := answers(""), text(t)
	for _, q := range questions(t) {
		values, said := ask(t, a, written, q.Q, "")
		if values["speaks"] != q.Language {
			t.Errorf("%q is answered in %v", q.Q, values["speaks"])
		}
		if (values["outside"] != "") != q.Outside {
			t.Errorf("%q: outside is %q", q.Q, values["outside"])
		}
		if len(q.Cites) > 0 && !slices.ContainsFunc(q.Cites, func(c string) bool {
			number, rule := strings.CutPrefix(c, "r.")
			unit, hindi := "ection ", "की धारा "
			if rule {
				unit, hindi = "ule ", "का नियम "
			}
			return slices.ContainsFunc([]string{unit + number + " ", unit + number + "(", hindi + number + "*", hindi + number + "(", hindi + number + ")"},
				func(s string) bool { return strings.Contains(said, s) })
		}) {
			t.Errorf("%q cites none of %v:\n%s", q.Q, q.Cites, said)
		}
		for _, want := range q.Says {
			if !slices.ContainsFunc(strings.Split(want, "|"), func(w string) bool { return strings.Contains(said, w) }) {
				t.Errorf("%q does not say %q:\n%s", q.Q, want, said)
			}
		}
		if strings.Contains(said, "<") || strings.Contains(said, "\n\n\n") {
			t.Errorf("%q is written as %q", q.Q, said)
		}
	}
}
