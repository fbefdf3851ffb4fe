// Package notices works on the content of notices: facts and what follows from them (the brief), errors in texts about
// them (checks), the reply and its draft, templates, dates listed in a text, and Word files. It computes with package
// gst and stores results in the store; it calls no model.
package notices

import (
	"encoding/json"
	"fmt"
	"strings"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// FactExtractor reads facts from pages, and checks texts against the facts and the law.
type FactExtractor struct {
	Tables  *law.Tables
	Statute func() *statute.Law // the law with which quotations are compared; nil: they are not compared
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

// Explain returns the candidates for each field of a notice, and how they were weighed.
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

// Propose implements workflows.Law. Only the field, page and words of a proposal are used; the value that the model
// gives is ignored.
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

// How much law a prompt gets.
const (
	mostPassages = 6
	mostOfNotice = 9      // for an analysis of a notice
	mostOfLaw    = 12_000 // bytes, some 3,000 tokens
	mostPoints   = 4      // charges of a notice for which the law is searched
	mostOfPoint  = 300    // bytes of each
	mostRead     = 30_000 // bytes of a document that are searched for citations
)

// Passages implements workflows.Law. It returns the provisions cited in the question, then results of a search for the
// question or for the charges of a notice under analysis, and then the provisions cited in the notice; for another
// document, those that it cites. All are as of the last day of the notice's period, or else the day of the turn. After
// them come pages of the person's own authorities about the same subject.
func (x FactExtractor) Passages(about workflows.PromptContext) ([]turns.LawPassage, error) {
	found, err := x.provisions(about)
	if err != nil {
		return nil, err
	}
	return append(found, ownAuthorities(about)...), nil
}

// provisions returns the passages from Acts and Rules.
func (x FactExtractor) provisions(about workflows.PromptContext) ([]turns.LawPassage, error) {
	found := []turns.LawPassage{}
	if x.Statute == nil {
		return found, nil
	}
	context := citeContext(about.Facts, about.Today)
	need := statute.Need{On: lawDay(context), Most: mostPassages, Bytes: mostOfLaw}
	papers := len(about.Notice)+len(about.Document) > 0
	asks := about.Kind == "chat" || !papers // the message of the other turns is the plugin's own text
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

// lawDay returns the ISO date whose law applies: the last day of the notice's period, or else the day of the turn.
func lawDay(c cite.Context) string {
	if n := c.Notice; n != nil && n.To != "" && n.To < c.Today {
		return n.To
	}
	return c.Today
}

// citedIn returns the provisions cited in a text, in order, as far as the index has them. If the text does not mention
// GST at all, a section without an Act is taken to belong to another Act.
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

// paperText returns the beginning of the document of a turn, or "" if the document is not about GST.
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

var aboutGST = lazyregexp.New(`\b[CSI]?GST|(?i:goods and services tax)|जी\s?एस\s?टी`)

// noticeCites returns the provisions of the CGST Act and Rules that the notice cites according to its facts.
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

// notice parses facts; facts that cannot be parsed are empty.
func notice(facts string) gst.Facts {
	var f gst.Facts
	if json.Unmarshal([]byte(facts), &f) != nil {
		return gst.Facts{}
	}
	return f
}

// cut returns at most this many bytes of a text, without splitting a letter.
func cut(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.ToValidUTF8(text[:max(bytes, 0)], "")
}
