package evaluation

import (
	"context"
	"encoding/json"
	"fmt"

	"munshi/evals/reading"
	"munshi/orchestrator/api"
	"munshi/orchestrator/store"
)

// readingsShown is how many readings of each corpus are shown.
const readingsShown = 10

// KeepReading stores the score of the notice reader on a corpus of labelled papers.
func KeepReading(ctx context.Context, s Service, corpus, version string, score *reading.Tally) error {
	scores, err := json.Marshal(score.Scores())
	if err != nil {
		return fmt.Errorf("encode how the corpus %s was read: %w", corpus, err)
	}
	return s.Store.AddEvalReading(ctx, store.EvalReading{Corpus: corpus, Version: version, Papers: int32(score.Papers),
		Scores: scores})
}

// Readings returns the latest readings of each corpus.
func (o Operators) Readings(ctx context.Context) ([]api.EvalReading, error) {
	rows, err := o.Service.Store.EvalReadings(ctx, readingsShown)
	if err != nil {
		return nil, err
	}
	list := make([]api.EvalReading, len(rows))
	for i, row := range rows {
		var s reading.Scores
		if err := json.Unmarshal(row.Scores, &s); err != nil {
			return nil, fmt.Errorf("decode how the corpus %s was read: %w", row.Corpus, err)
		}
		r := api.EvalReading{
			ID: row.ID, At: row.CreatedAt, Corpus: row.Corpus, Version: row.Version, Papers: int(row.Papers),
			All:    shownField(s.All, "all"),
			Fields: []api.ReadingScore{}, Classes: []api.ReadingScore{},
			DatesLeft: s.DatesLeft, DatesOffered: s.DatesOffered, DemandsLeft: s.DemandsLeft,
			DemandsOffered: s.DemandsOffered,
		}
		for _, f := range s.Fields {
			r.Fields = append(r.Fields, shownField(f, f.Name))
		}
		for _, c := range s.Classes {
			r.Classes = append(r.Classes, shownField(c.All, c.Name))
		}
		list[i] = r
	}
	return list, nil
}

func shownField(f reading.Field, name string) api.ReadingScore {
	return api.ReadingScore{Name: name, Right: f.Right, Wrong: f.Wrong, Missing: f.Missing, F1: f.F1()}
}
