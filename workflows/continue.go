package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"munshi/orchestrator/turns"
)

// askOn lets the model write an answer and continue it whenever it reaches the output limit. An incomplete end is
// removed, and written again with the continuation. Each piece is stored, so that none is paid for twice.
func (a *Activities) askOn(ctx context.Context, in AskInput, m PromptContext, values map[string]any, q Question,
	stream *streamWriter) (Answer, error) {
	ref := in.ref(ctx)
	var wrote Written
	waited := 0
	for n := 1; ; n++ {
		m.Kept = []string{in.Step.ID} // an earlier attempt may have stored this piece
		key, piece, found, err := a.before(ctx, ref,
			turns.ResultKey{Step: in.Step.ID, Part: fmt.Sprintf("piece %d", n)}, m, q)
		switch {
		case err != nil:
			return Answer{}, err
		case found:
			err = stream.write(piece.Text)
		default:
			piece, err = a.Model.Ask(ctx, q, stream.write)
			if f := (*Failure)(nil); n > 1 && errors.As(err, &f) && f.Code == ModelEmpty {
				// the text so far is the whole answer
				piece, err = Answer{StopReason: "length", Model: wrote.Model, Provider: wrote.Provider}, nil
			}
		}
		if err != nil {
			return Answer{}, err
		}
		piece.Prompt, piece.PromptSHA, piece.Bundle = q.Prompt, q.SHA, q.Bundle
		wrote, waited = wrote.and(piece), waited+piece.Waited
		text := ""
		last := piece.StopReason != "length" || n == goingOn || strings.TrimSpace(piece.Text) == ""
		if !last {
			text = unbroken(stream.text())
			values["written"] = text
			if q, err = a.render(ctx, in, in.Step.Prompt, values); err != nil {
				return Answer{}, err
			}
			last = a.over(q) > 0
		}
		if last {
			piece.Text, piece.InputTokens, piece.OutputTokens, piece.CostPaise = "", wrote.InputTokens, wrote.OutputTokens, wrote.CostPaise
			piece.Milliseconds, piece.Waited = wrote.Milliseconds, waited
			return piece, nil
		}
		if !found {
			if err := a.keep(ctx, ref, key, piece, q, StreamPiece{}); err != nil {
				return Answer{}, err
			}
		}
		if err := stream.back(text); err != nil {
			return Answer{}, err
		}
	}
}

// unbroken removes the incomplete end of a text that was cut off: its last line or, if that is long, its last sentence
// or word.
func unbroken(text string) string {
	for _, seam := range []string{"\n\n", "\n", ". ", " "} {
		if at := strings.LastIndex(text, seam); at > len(text)/2 && (seam == " " || len(text)-at < longestLine) {
			return text[:at+len(seam)]
		}
	}
	return text
}
