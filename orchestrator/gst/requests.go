package gst

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Requests returns the papers that someone asked for, in order, followed by others that the issues of the facts
// require. A paper without a reason gets the reason of its issue.
func Requests(asked []RequiredDocument, f Facts) []RequiredDocument {
	all := slices.Clone(asked)
	for _, paper := range f.RequiredDocuments {
		i := slices.IndexFunc(all, func(have RequiredDocument) bool { return SamePaper(have.Type, paper.Type) })
		if i < 0 {
			all = append(all, paper)
			continue
		}
		if all[i].Reason == "" {
			all[i].Reason = paper.Reason
		}
		if all[i].Issue == "" {
			all[i].Issue = paper.Issue
		}
	}
	return all
}

// SamePaper reports whether the paper that was asked for is the other one in different words, or includes it. A single
// word, as in "Invoices", includes nothing but itself.
func SamePaper(asked, other string) bool {
	a, b := paperWords(asked), paperWords(other)
	if len(a) == 0 || len(b) == 0 {
		return strings.EqualFold(asked, other)
	}
	both := 0
	for w := range b {
		if a[w] {
			both++
		}
	}
	return both == len(b) || both == len(a) && len(a) > 1 || 5*both >= 3*(len(a)+len(b)-both)
}

var paperNoise = map[string]bool{"a": true, "an": true, "the": true, "of": true, "for": true, "and": true, "or": true,
	"with": true, "to": true, "from": true, "in": true, "on": true, "by": true, "all": true, "any": true, "your": true,
	"their": true, "its": true, "copy": true, "copie": true, "certified": true, "detail": true, "relevant": true,
	"document": true, "that": true, "were": true, "was": true}

func paperWords(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		if w = strings.TrimSuffix(w, "s"); w != "" && !paperNoise[w] {
			words[w] = true
		}
	}
	return words
}

// Letter returns the message that asks the client for papers, in the tables' wording for a language, or "" if the
// tables do not have the language.
func Letter(t *law.Tables, language string, f Facts, papers []RequiredDocument) string {
	i := slices.IndexFunc(t.Letters, func(l law.Letter) bool { return l.Language == language })
	if i < 0 {
		return ""
	}
	words := t.Letters[i]
	paragraphs := opening(words, language, f)
	paragraphs[1] += " " + words.Ask
	return strings.Join(append(paragraphs, listOf(t, language, words, papers), words.Closing), "\n\n")
}

// Invitation returns the message that asks the client to answer questions at an address until a date (ISO). If papers
// are wanted, it asks for them too. It is "" if the tables do not have the language.
func Invitation(t *law.Tables, language string, f Facts, papers []RequiredDocument, address, until string) string {
	i := slices.IndexFunc(t.Letters, func(l law.Letter) bool { return l.Language == language })
	if i < 0 {
		return ""
	}
	words := t.Letters[i]
	paragraphs := append(opening(words, language, f),
		strings.ReplaceAll(words.Questions, "{until}", message.Date(until).In(language))+"\n"+address)
	if len(papers) > 0 {
		paragraphs = append(paragraphs, words.Ask, listOf(t, language, words, papers), words.Closing)
	}
	return strings.Join(paragraphs, "\n\n")
}

// opening returns the paragraphs that greet the client and say which notice it is about and by when it must be
// answered.
func opening(words law.Letter, language string, f Facts) []string {
	values := strings.NewReplacer("{client}", either(f.LegalName, f.TradeName, words.Client), "{notice}",
		noticeName(language, f, words.Notice))
	paragraphs := []string{values.Replace(words.Greeting), values.Replace(words.Opening)}
	if f.ReplyDue.Date != nil {
		paragraphs[1] += " " + strings.ReplaceAll(words.Due, "{date}", message.Date(*f.ReplyDue.Date).In(language))
	}
	return paragraphs
}

// listOf returns a list of papers, each with the reason.
func listOf(t *law.Tables, language string, words law.Letter, papers []RequiredDocument) string {
	var list []string
	for n, paper := range papers {
		line := strconv.Itoa(n+1) + ". " + paperName(t, language, paper.Type)
		if paper.Reason != "" {
			line += "\n   " + strings.ReplaceAll(words.Reason, "{reason}", reasonIn(t, language, paper.Reason))
		}
		list = append(list, line)
	}
	return strings.Join(list, "\n")
}

// paperName returns the name of a paper in a language, followed by the English name under which it was asked for. If
// the tables do not know the paper, it returns only the latter.
func paperName(t *law.Tables, language, paper string) string {
	for _, issue := range t.Issues {
		for _, d := range issue.Documents {
			if name := d.Names[language]; name != "" && maps.Equal(paperWords(paper), paperWords(d.Type)) {
				return name + " (" + paper + ")"
			}
		}
	}
	return paper
}

// reasonIn returns the tables' reason for a paper in a language; a reason that is not in the tables is returned
// unchanged.
func reasonIn(t *law.Tables, language, reason string) string {
	for _, issue := range t.Issues {
		for _, d := range issue.Documents {
			if said := d.Reasons[language]; said != "" && d.Reason == reason {
				return said
			}
		}
	}
	return reason
}

func either(first, second *string, otherwise string) string {
	switch {
	case first != nil:
		return *first
	case second != nil:
		return *second
	}
	return otherwise
}

// noticeName returns the name of a notice for a letter: its form, number and date.
func noticeName(language string, f Facts, otherwise string) string {
	var parts []string
	if f.Form != nil {
		parts = append(parts, "FORM "+*f.Form)
	}
	if n := either(f.Reference, f.DIN, ""); n != "" {
		parts = append(parts, n)
	}
	if f.IssueDate != nil {
		parts = append(parts, message.Date(*f.IssueDate).In(language))
	}
	if len(parts) == 0 {
		return otherwise
	}
	return strings.Join(parts, ", ")
}
