package evaluation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"munshi/evals"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/workflows"
)

// judgesFolder is the folder, below the prompts folder, with the prompts for judging.
const judgesFolder = "_evals"

// Judge lets a model judge answers that code cannot grade. Its prompts are files like all others, and are read once.
type Judge struct {
	model  workflows.Model
	bundle *prompt.Bundle
	sha    string
}

// OpenJudge reads the prompts for judging from the prompts folder; it returns nil if there are none.
func OpenJudge(dir string, m workflows.Model, log *slog.Logger) (*Judge, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the prompts folder: %w", err)
	}
	defer root.Close()
	bundle, err := judgesIn(root.FS())
	if errors.Is(err, fs.ErrNotExist) {
		log.Warn("there are no prompts for judges; what a model would have to judge is skipped", "folder", judgesFolder)
		return nil, nil
	}
	if err != nil {
		return nil, problem.New("judges_have_mistakes", problem.Params{"mistakes": err.Error()}, err)
	}
	return &Judge{m, bundle, bundle.SHA()}, nil
}

// judgesIn reads the prompts for judging.
func judgesIn(prompts fs.FS) (*prompt.Bundle, error) {
	files := map[string][]byte{}
	for _, name := range []string{"plugin.yaml", "rubric.md", "pairwise.md"} {
		data, err := fs.ReadFile(prompts, judgesFolder+"/"+name)
		if err != nil {
			return nil, err
		}
		files["evals/"+name] = data
	}
	return prompt.Open(files, judgesRegistry())
}

// judgesRegistry returns what the prompts for judging may refer to.
func judgesRegistry() prompt.Registry {
	r := plugins.Registry()
	r.Values = map[string]prompt.Value{
		"criterion": {Type: prompt.Text},
		"question":  {Type: prompt.Text, Untrusted: true},
		"answer":    {Type: prompt.Text, Untrusted: true},
		"first":     {Type: prompt.Text, Untrusted: true},
		"second":    {Type: prompt.Text, Untrusted: true},
	}
	r.Turns = map[string][]string{
		"rubric":   {"criterion", "question", "answer"},
		"pairwise": {"question", "first", "second"},
	}
	r.Forms = nil
	return r
}

// errUnread means that a judge's answer does not have the requested format.
var errUnread = errors.New("the judge's answer could not be read")

// ask lets the model judge. It asks once more if the answer cannot be read, and several times if the model is busy or
// fails.
func (j *Judge) ask(ctx context.Context, name string, values map[string]any, into any) error {
	q, err := plugins.Render(j.bundle, name, values)
	if err != nil {
		return fmt.Errorf("fill the judge's prompt: %w", err)
	}
	for range 2 {
		text, err := j.answer(ctx, q)
		if err != nil {
			return err
		}
		if begin, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}'); begin >= 0 && end > begin &&
			json.Unmarshal([]byte(text[begin:end+1]), into) == nil {
			return nil
		}
	}
	return errUnread
}

// answer returns the model's answer. If a provider asks for a long wait, it gives up.
func (j *Judge) answer(ctx context.Context, q workflows.Question) (string, error) {
	wait := workflows.JudgeAgain
	for attempt := 1; ; attempt++ {
		answer, err := j.model.Ask(ctx, q, nil)
		if err == nil {
			return answer.Text, nil
		}
		var f *workflows.Failure
		if attempt == workflows.JudgeAttempts ||
			errors.As(err, &f) && (!f.Retryable || f.RetryAfter > workflows.LongestWait) {
			return "", err
		}
		if f != nil {
			wait = max(wait, f.RetryAfter)
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(wait):
		}
		wait *= 2
	}
}

// fill adds the verdicts of a model to a result. If the judge cannot be asked, or its answer cannot be read, the
// verdict is "skipped" with a reason, so that another run asks again. The only error is that of a context that has
// ended.
func (j *Judge) fill(ctx context.Context, c evals.Case, r *evals.Result, log *slog.Logger) error {
	if j == nil {
		return nil
	}
	for i, v := range r.Verdicts {
		if !v.Model || !v.Skipped {
			continue
		}
		var said struct {
			Score  int    `json:"score"`
			Reason string `json:"reason"`
		}
		err := j.ask(
			ctx,
			"rubric",
			map[string]any{"criterion": v.Expects, "question": askedOf(c), "answer": r.Answer.Text},
			&said,
		)
		switch {
		case errors.Is(err, errUnread) || err == nil && (said.Score < 1 || said.Score > 5):
			r.Verdicts[i].Says = "A model was asked to judge this, and its judgment could not be read."
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			log.WarnContext(ctx, "an answer could not be judged", "case", c.Name(), "error", err)
			f := &workflows.Failure{Sentence: "The log says why."}
			errors.As(err, &f)
			r.Verdicts[i].Says = "A model was to judge this, and could not be asked. " + f.Sentence
		default:
			r.Verdicts[i] = c.Expect[i].Judged(said.Score, said.Reason)
			r.Verdicts[i].Judge = j.sha
		}
	}
	return nil
}

// askedOf returns the question of a case, for the judge.
func askedOf(c evals.Case) string {
	if c.Input.Text != "" {
		return c.Input.Text
	}
	return fmt.Sprintf("(The person handed in %s for %s.)", c.Input.Document, c.Turn)
}

// Better returns which of two answers a model considers better: "before", "after" or "same". The order in which they
// are shown is derived from seed and case, so that neither position is favoured and repeating a comparison shows the
// same order.
func (j *Judge) Better(
	ctx context.Context,
	c evals.Case,
	before, after string,
	seed uint64,
) (which, reason string, err error) {
	named := fnv.New64a()
	_, _ = named.Write([]byte(c.Name()))
	swapped := rand.New(rand.NewPCG(seed, named.Sum64())).IntN(2) == 1
	first, second := before, after
	if swapped {
		first, second = after, before
	}
	var said struct {
		Better string `json:"better"`
		Reason string `json:"reason"`
	}
	if err := j.ask(ctx, "pairwise", map[string]any{"question": askedOf(c), "first": first, "second": second},
		&said); err != nil {
		return "", "", err
	}
	switch {
	case said.Better == "same":
		return "same", said.Reason, nil
	case said.Better != "first" && said.Better != "second":
		return "", "", errUnread
	case (said.Better == "first") != swapped:
		return "before", said.Reason, nil
	}
	return "after", said.Reason, nil
}
