package notices

import (
	"slices"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// mostOwn is how many pages of the person's own authorities a prompt gets.
const mostOwn = 3

// ownAuthorities returns passages of the person's own authorities about a turn's subject: the words of a question, or
// each charge of a notice that is being analysed.
func ownAuthorities(about workflows.PromptContext) []turns.LawPassage {
	asked := []string{about.Message}
	if about.Facts != "" && about.Kind != "chat" {
		asked = charges(notice(about.Facts))
	}
	papers := make([][]string, len(about.Authorities))
	for i, a := range about.Authorities {
		for _, p := range a.Pages {
			papers[i] = append(papers[i], p.Text)
		}
	}
	var found []statute.Excerpt
	for _, words := range asked {
		for _, e := range statute.Excerpts(papers, words, mostOwn) {
			known := slices.ContainsFunc(found, func(f statute.Excerpt) bool {
				return f.Paper == e.Paper && f.Page == e.Page
			})
			if !known && len(found) < mostOwn {
				found = append(found, e)
			}
		}
	}
	var own []turns.LawPassage
	for _, e := range found {
		a := about.Authorities[e.Paper]
		own = append(own, turns.LawPassage{Words: e.Words,
			LawSource: turns.LawSource{Name: a.Citation, Authority: a.ID, Page: a.Pages[e.Page].Number}})
	}
	return own
}

// charges returns the beginnings of the first charges of a notice.
func charges(f gst.Facts) []string {
	var all []string
	for _, p := range f.Paragraphs {
		if p.Kind == "charge" && len(all) < mostPoints {
			all = append(all, cut(p.Text, mostOfPoint))
		}
	}
	return all
}

// shelf holds the person's own authorities, to search their pages.
type shelf struct {
	authorities []turns.Authority
	folded      map[string]gst.Folded // pages prepared for searching, by authority id
}

// page returns the number of the page of an authority with these words, or 0 if none has them.
func (s *shelf) page(a turns.Authority, words string) int {
	folded, known := s.folded[a.ID]
	if !known {
		if s.folded == nil {
			s.folded = map[string]gst.Folded{}
		}
		folded = gst.Fold(activities.GSTPages(a.Pages))
		s.folded[a.ID] = folded
	}
	if at := folded.PageOf(words); at > 0 {
		return a.Pages[at-1].Number
	}
	return 0
}

// The verdicts on words that are quoted from an authority.
const (
	inAuthority    = "in_authority"     // found on a page of an authority that the person supplied
	notInAuthority = "not_in_authority" // found on none
)

// quoted checks words that are quoted from a case, or without a source, against the authorities that the person
// supplied, and sets the page where they were found. It returns false if this decides nothing.
func (s *shelf) quoted(f *workflows.Finding, words, from string) bool {
	compared := ""
	for _, a := range s.authorities {
		if len(a.Pages) == 0 || from != "" && !cite.SameAuthority(from, a.Citation) {
			continue
		}
		if page := s.page(a, words); page > 0 {
			f.Verdict, f.Provision, f.Page = inAuthority, a.Citation, page
			*f = saying(message.New("checks.quotation.in_authority",
				message.Params{"where": message.Citation(a.Citation), "page": page}), *f)
			return true
		}
		compared = a.Citation
	}
	if from == "" || compared == "" {
		return false
	}
	f.Verdict, f.Provision = notInAuthority, compared
	*f = saying(message.New("checks.quotation.not_in_authority", message.Params{"where": message.Citation(compared)}),
		*f)
	return true
}
