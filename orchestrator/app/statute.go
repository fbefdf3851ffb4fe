package app

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"unicode/utf16"

	"munshi/config"
	"munshi/orchestrator/api"
	statute "munshi/orchestrator/law"
)

// openStatute returns the law index: the digest, its search, and the imported official text. It reads them on first
// use.
func openStatute(cfg config.Config, log *slog.Logger) *statute.Law {
	o := statute.Options{Library: LawLibrary(cfg), Log: log}
	if cfg.Law.Overlay != "" {
		o.Overlay = os.DirFS(cfg.Law.Overlay)
	}
	return statute.New(o)
}

// LawLibrary returns the folder of the imported official text.
func LawLibrary(cfg config.Config) string {
	return cmp.Or(cfg.Law.Library, filepath.Join(cfg.Local.StateDir, "law"))
}

// lawAnswers gives the API access to the law index.
type lawAnswers struct{ law *statute.Law }

// Acts lists the Acts and Rules.
func (l lawAnswers) Acts() ([]api.LawAct, error) {
	pages, err := l.law.Acts()
	if err != nil {
		return nil, err
	}
	acts := make([]api.LawAct, len(pages))
	for i, p := range pages {
		acts[i] = lawAct(p.Act)
		acts[i].AsOn, acts[i].Held = p.AsOn, p.Held
		for _, c := range p.Chapters {
			chapter := api.LawChapter{ID: c.ID, Title: c.Title, Provisions: []api.LawHead{}}
			for _, h := range c.Provisions {
				chapter.Provisions = append(chapter.Provisions,
					api.LawHead{Number: h.Number, Heading: h.Heading, Status: string(h.Status)})
			}
			acts[i].Chapters = append(acts[i].Chapters, chapter)
		}
	}
	return acts, nil
}

func lawAct(a statute.Act) api.LawAct {
	return api.LawAct{ID: a.ID, Short: a.Short, Name: a.Name, Unit: a.Unit, Chapters: []api.LawChapter{}}
}

// Search finds provisions.
func (l lawAnswers) Search(words, act, on string, limit int) ([]api.LawHit, error) {
	found, err := l.law.Search(statute.Query{Words: words, Act: act, On: on, Limit: limit})
	if err != nil {
		return nil, err
	}
	hits := make([]api.LawHit, len(found))
	for i, h := range found {
		hits[i] = api.LawHit{Act: h.Act, Number: h.Number, Heading: h.Heading, Digest: h.Digest, Hindi: h.Entry.Hindi,
			Text: h.Text, ValidFrom: h.ValidFrom, ValidUntil: h.ValidUntil, Score: h.Score}
	}
	return hits, nil
}

// Provision returns a provision as it was on a day.
func (l lawAnswers) Provision(act, number, on string) (*api.LawProvision, error) {
	p, err := l.law.Look(act, number, on)
	if errors.Is(err, statute.ErrUnknown) {
		return nil, fmt.Errorf("%w: %w", api.ErrNoProvision, err)
	}
	if err != nil {
		return nil, err
	}
	out := &api.LawProvision{Act: lawAct(p.Act), Number: p.Number, Heading: p.Heading, Chapter: p.Chapter, On: p.On,
		Missing: api.Saying(p.Missing), Versions: digests(p.Entries), Parts: digests(p.Parts),
		Refers: references(p.Refers), CitedBy: references(p.CitedBy), History: []api.LawText{}, Notes: []api.LawNote{},
		Later: []api.LawLater{}, Differ: append([]string{}, p.Differ...)}
	if p.Entry != nil {
		out.Digest = &digests([]*statute.Entry{p.Entry})[0]
	}
	if t := p.Text; t != nil {
		words := api.LawText{Words: t.Words, From: t.From, Until: t.Until, Status: string(t.Status), AsOn: t.AsOn,
			By: append([]string{}, t.By...), Whole: t.Whole, Between: between(t.Between), Parts: []api.LawPart{},
			Marks: []api.LawMark{}}
		units := units(t.Words)
		for _, part := range t.Parts {
			words.Parts = append(words.Parts,
				api.LawPart{Number: part.Number, Kind: part.Kind, Start: units(part.Start), End: units(part.End)})
		}
		for _, m := range t.Marks {
			words.Marks = append(words.Marks,
				api.LawMark{Start: units(m.Start), End: units(m.End), Kind: m.Kind, From: m.From, By: m.By})
		}
		out.Text = &words
	}
	for _, h := range p.History {
		out.History = append(out.History,
			api.LawText{Words: h.Text, From: h.From, Until: h.Until, Status: string(h.Status), AsOn: h.AsOn,
				By: append([]string{}, h.By...), Between: between(h.Between), Parts: []api.LawPart{},
				Marks: []api.LawMark{}})
	}
	for _, n := range p.Notes {
		out.Notes = append(out.Notes, api.LawNote(n))
	}
	for _, x := range p.Later {
		out.Later = append(out.Later, api.LawLater(x))
	}
	if s := p.Upstream; s != nil {
		out.Source = &api.LawSource{Name: s.Name, Publisher: s.Publisher, AsOn: s.AsOn, Read: s.Read, SHA256: s.SHA256}
	}
	return out, nil
}

func digests(entries []*statute.Entry) []api.LawDigest {
	out := make([]api.LawDigest, len(entries))
	for i, e := range entries {
		out[i] = api.LawDigest{Number: e.Number, Heading: e.Heading, From: e.From, Until: e.Until, Status: e.Status,
			English: e.English, Hindi: e.Hindi, Numbers: []api.LawNumber{}, Source: e.Source, Certainty: e.Certainty,
			Note: e.Note}
		for _, n := range e.Numbers {
			out[i].Numbers = append(out[i].Numbers,
				api.LawNumber{What: n.What, Value: fmt.Sprint(n.Value), Unit: n.Unit})
		}
	}
	return out
}

func references(list []statute.Reference) []api.LawReference {
	out := make([]api.LawReference, len(list))
	for i, r := range list {
		out[i] = api.LawReference(r)
	}
	return out
}

func between(days [2]string) []string {
	if days[0] == "" {
		return nil
	}
	return days[:]
}

// units returns a function that converts byte positions in a text to UTF-16 code units, as JavaScript counts.
func units(text string) func(int) int {
	return func(at int) int {
		n := 0
		for _, r := range text[:min(max(at, 0), len(text))] {
			n += utf16.RuneLen(r)
		}
		return n
	}
}
