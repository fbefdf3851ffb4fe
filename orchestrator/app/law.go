package app

import (
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"munshi/config"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/law/defences"
	"munshi/orchestrator/law/faq"
	"munshi/orchestrator/model"
)

// openLaw returns the law tables, with changes from the operator's folder. If the folder has a mistake, only the
// built-in tables are used, and the log says so.
func openLaw(cfg config.Law, log *slog.Logger) *law.Tables {
	if cfg.Overlay == "" {
		return law.Built()
	}
	tables, err := law.Load(os.DirFS(cfg.Overlay))
	var problems law.Problems
	switch {
	case errors.As(err, &problems):
		for _, p := range problems {
			log.Warn(
				"a table of law is wrong; the built-in tables are in force. `munshi law` checks the folder",
				"folder",
				cfg.Overlay,
				"problem",
				p.String(),
			)
		}
	case err != nil:
		log.Warn(
			"the folder of law tables cannot be read; the built-in tables are in force",
			"folder",
			cfg.Overlay,
			"error",
			err,
		)
	}
	return tables
}

// openDefences returns the rules about defences, with changes from the operator's folder. It reads them on first use.
func openDefences(cfg config.Law, tables func() *law.Tables, log *slog.Logger) *defences.Set {
	if cfg.Overlay == "" {
		return defences.NewSet(nil, tables, log)
	}
	return defences.NewSet(os.DirFS(cfg.Overlay), tables, log)
}

// openQuestions returns the common questions, with changes from the operator's folder. It reads them on first use.
func openQuestions(cfg config.Law, log *slog.Logger) *faq.Topics {
	if cfg.Overlay == "" {
		return faq.New(nil, log)
	}
	return faq.New(os.DirFS(cfg.Overlay), log)
}

// answerFromLaw returns the program that answers questions of law without a model.
func answerFromLaw(a *answer.Answers) model.Program {
	return func(values map[string]any) (map[string]any, error) {
		text := func(name string) string { s, _ := values[name].(string); return s }
		area := ""
		given, _ := values["inputs"].([]map[string]string)
		for _, in := range given {
			if in["id"] == "area" {
				area = in["choice"]
			}
		}
		today := law.ParseDay(text("today"))
		if today.IsZero() {
			today = law.DayOf(time.Now().In(clock.India))
		}
		language := ""
		if text("language") == "Hindi" {
			language = answer.Hindi
		}
		return a.Values(text("message"), area, today, language)
	}
}

// hindiOfPapers returns a function that translates names of papers, and the reasons for requesting them, with the law
// tables.
func hindiOfPapers(tables func() *law.Tables) func(english string) string {
	names := sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		for _, issue := range tables().Issues {
			for _, d := range issue.Documents {
				all[d.Type], all[d.Reason] = d.Names["hi"], d.Reasons["hi"]
			}
		}
		return all
	})
	return func(english string) string { return names()[english] }
}
