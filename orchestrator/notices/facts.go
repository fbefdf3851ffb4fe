// Package notices adds meaning to the words of a notice: facts and what follows from them (the brief), what is wrong
// with a text about it (checks), the reply with its draft, templates filled in from it, dates listed in a text, and
// Word files. It computes with package gst and stores results in the store; it calls no model.
package notices

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// FactExtractor reads facts from pages, and checks texts against them and the law.
type FactExtractor struct {
	Tables  *law.Tables
	Statute func() *statute.Law // with which quotations of the law are compared; nil: they are not
}

var _ workflows.Law = FactExtractor{}

// Facts implements workflows.Law.
func (x FactExtractor) Facts(pages []turns.Page) (json.RawMessage, string, error) {
	facts := x.Read(pages)
	raw, err := json.Marshal(facts)
	if err != nil {
		return nil, "", fmt.Errorf("encode the facts: %w", err)
	}
	return raw, facts.Title(), nil
}

// Read returns the facts of a notice.
func (x FactExtractor) Read(pages []turns.Page) gst.Facts {
	return gst.Read(x.Tables, activities.GSTPages(pages))
}

// Explain returns what was weighed for each field of a notice.
func (x FactExtractor) Explain(pages []turns.Page) gst.Explanation {
	return gst.Explain(x.Tables, activities.GSTPages(pages))
}

// Open implements workflows.Law.
func (x FactExtractor) Open(facts string) []string {
	f, err := gst.ParseFacts([]byte(facts))
	if err != nil {
		return nil
	}
	return f.Open()
}

// Propose implements workflows.Law. A proposal of which nothing but the field, the page and the words can be read is
// still one: what a model says that the value is counts for nothing.
func (x FactExtractor) Propose(pages []turns.Page, answer string) (json.RawMessage, int, map[string]int, error) {
	var proposals []gst.Proposal
	unread := 0
	for _, raw := range workflows.Objects(answer) {
		var p gst.Proposal
		if json.Unmarshal(raw, &p) != nil {
			unread++
			continue
		}
		proposals = append(proposals, p)
	}
	facts, dropped := gst.Propose(x.Tables, activities.GSTPages(pages), proposals)
	if unread > 0 {
		dropped["unread"] = unread
	}
	proposed := facts.Proposed
	if proposed == nil {
		proposed = map[string]gst.Proposed{}
	}
	raw, err := json.Marshal(proposed)
	if err != nil {
		return nil, 0, nil, fmt.Errorf("encode what was proposed: %w", err)
	}
	return raw, len(proposed), dropped, nil
}

// How much of the law a prompt is told.
const (
	mostPassages = 6
	mostOfNotice = 9      // where a notice is analysed
	mostOfLaw    = 12_000 // bytes, some 3,000 tokens
	mostPoints   = 4      // charges of a notice that are looked for
	mostOfPoint  = 300    // bytes of each
	mostRead     = 30_000 // bytes of a document in which citations are looked for
)

// Passages implements workflows.Law: what the question cites comes first, then what the search finds for it, or for the
// charges of a notice that is analysed, and the notice's own provisions; of another document those that it cites. All
// are as on the last day of the notice's period, else as on the day of the turn. Behind them come the pages of the
// person's own authorities that speak of it.
func (x FactExtractor) Passages(about workflows.PromptContext) ([]turns.LawPassage, error) {
	found, err := x.provisions(about)
	if err != nil {
		return nil, err
	}
	return append(found, ownAuthorities(about)...), nil
}

// provisions are the passages of the law.
func (x FactExtractor) provisions(about workflows.PromptContext) ([]turns.LawPassage, error) {
	found := []turns.LawPassage{}
	if x.Statute == nil {
		return found, nil
	}
	context := citeContext(about.Facts, about.Today)
	need := statute.Need{On: lawDay(context), Most: mostPassages, Bytes: mostOfLaw}
	papers := len(about.Notice)+len(about.Document) > 0
	asks := about.Kind == "chat" || !papers // the others' message is the plugin's own
	switch {
	case context.Notice != nil:
		need.Beside = noticeCites(about.Facts)
		if asks {
			break
		}
		need.Cited, need.Beside, need.Most = need.Beside, nil, mostOfNotice
		need.Points = charges(notice(about.Facts))
	case papers:
		need.Cited = x.citedIn(paperText(about), context)
	default:
		known := answer.New(x.Statute, func() *law.Tables { return x.Tables }, nil)
		if ofGST, err := known.IsOfGST(about.Message, about.Inputs["area"], law.DayOf(about.Today)); err != nil ||
			!ofGST {
			return found, err
		}
	}
	if asks {
		need.Cited = append(x.citedIn(about.Message, context), need.Cited...)
		if !papers || context.Notice != nil {
			need.Words = about.Message
		}
	}
	passages, err := x.Statute().Gather(need)
	if err != nil {
		return nil, fmt.Errorf("gather the law for a prompt: %w", err)
	}
	for _, p := range passages {
		found = append(found, turns.LawPassage{Says: p.Digest, Words: p.Words,
			LawSource: turns.LawSource{Act: p.Act, Number: p.Number, Name: p.Name, Heading: p.Heading, On: p.On,
				From: p.From, Until: p.Until, Status: p.Status, Held: p.Words != ""}})
	}
	return found, nil
}

// lawDay returns the ISO day whose law governs: the last of the notice's period, else that of the turn.
func lawDay(c cite.Context) string {
	if n := c.Notice; n != nil && n.To != "" && n.To < c.Today {
		return n.To
	}
	return c.Today
}

// citedIn returns the provisions that a text cites, in the order of the text, as far as the law held here has them. If
// the text does not mention GST at all, a section without an Act is taken to be of another Act.
func (x FactExtractor) citedIn(text string, context cite.Context) []statute.Cited {
	context.Notice = nil
	var all []statute.Cited
	for _, m := range x.Tables.Index.Check(text, context) {
		if c, ok := answer.Cited(m); ok && c.Act != "" {
			all = append(all, c)
		}
	}
	return all
}

// paperText returns the beginning of the paper that a turn is about, "" for one that does not speak of GST.
func paperText(about workflows.PromptContext) string {
	pages := about.Document
	if len(pages) == 0 {
		pages = about.Notice
	}
	var text strings.Builder
	for _, p := range pages {
		if text.WriteString(cut(p.Text, mostRead-text.Len()) + "\n"); text.Len() >= mostRead {
			break
		}
	}
	if !aboutGST.MatchString(text.String()) {
		return ""
	}
	return text.String()
}

var aboutGST = regexp.MustCompile(`\b[CSI]?GST|(?i:goods and services tax)|जी\s?एस\s?टी`)

// noticeCites returns the provisions of the CGST Act and Rules that a notice was read to cite.
func noticeCites(facts string) []statute.Cited {
	f := notice(facts)
	var all []statute.Cited
	for _, s := range f.Sections {
		all = append(all, statute.Cited{Act: "cgst", Number: s})
	}
	for _, r := range f.Rules {
		all = append(all, statute.Cited{Act: "cgst_rules", Number: r})
	}
	return all
}

// notice reads facts as they are told to prompts, none where they cannot be read.
func notice(facts string) gst.Facts {
	var f gst.Facts
	if json.Unmarshal([]byte(facts), &f) != nil {
		return gst.Facts{}
	}
	return f
}

// cut returns at most so many bytes of a text, and no half letter.
func cut(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.ToValidUTF8(text[:max(bytes, 0)], "")
}
