package store

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// SearchQuery selects documents and drafts of a workspace by their words.
type SearchQuery struct {
	Text       string // all of these must occur, as whole words or as beginnings of words
	Kind       string // "document" or "draft"; "" for both
	Skip, Most int
}

// FoundText is a document or draft that contains the words of a search.
type FoundText struct {
	db.FoundPapersRow
	Page    int    // of a document: the page with most of the words; 0 if no page was read
	Excerpt string // the text around the first of the words
}

// mostFound is how many documents, and how many drafts, a search finds at most: the latest.
const mostFound = 1000

// Search returns one page of the documents and drafts that contain the words of a search, latest first. total is how
// many there are, counting at most mostFound of each kind. words are the words searched for.
func (s *Store) Search(ctx context.Context, workspace uuid.UUID,
	in SearchQuery) (found []FoundText, total int, words []string, err error) {
	words = searched(in.Text)
	if len(words) == 0 {
		return nil, 0, nil, nil
	}
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.FoundPapers(ctx, db.FoundPapersParams{Query: wordsQuery(in.Text), Kind: in.Kind,
			AtMost: mostFound, Skip: int32(in.Skip), Most: int32(in.Most)})
		if err != nil {
			return err
		}
		ids := map[string][]uuid.UUID{}
		for _, r := range rows {
			total = int(r.Total)
			ids[r.Kind] = append(ids[r.Kind], r.ID)
		}
		pages, texts := map[uuid.UUID]db.BestPagesRow{}, map[uuid.UUID]string{}
		if of := ids["document"]; len(of) > 0 {
			best, err := q.BestPages(ctx, db.BestPagesParams{Documents: of, Words: words})
			if err != nil {
				return err
			}
			for _, p := range best {
				pages[p.DocumentID] = p
			}
		}
		if of := ids["draft"]; len(of) > 0 {
			drafts, err := q.TextsOfDrafts(ctx, of)
			if err != nil {
				return err
			}
			for _, d := range drafts {
				texts[d.ID] = d.Text
			}
		}
		for _, r := range rows {
			one := FoundText{FoundPapersRow: r, Excerpt: excerpt(unmarked(texts[r.ID]), words)}
			if p, read := pages[r.ID]; read {
				one.Page, one.Excerpt = int(p.Number), excerpt(p.Text, words)
			}
			found = append(found, one)
		}
		return nil
	})
	if err != nil {
		return nil, 0, nil, fmt.Errorf("search papers and drafts: %w", err)
	}
	return found, total, words, nil
}

// ruled matches Markdown marks at the beginning of a line (headings, quotations) and lines that are only marks (rules,
// table separators).
var ruled = regexp.MustCompile(`(?m)^[ \t]*(?:#{1,6} |> ?|[-*_]{3,}[ \t]*$|\|[ :|-]+\|[ \t]*$)`)

// unmarked returns the text of a draft without Markdown marks, for an excerpt on one line.
func unmarked(markdown string) string {
	return strings.NewReplacer("**", "", "|", " ").Replace(ruled.ReplaceAllString(markdown, " "))
}

// excerpt returns the part of a text around the first of the words that occurs in it, on one line.
func excerpt(text string, words []string) string {
	const before, length = 80, 260 // letters
	text = strings.Join(strings.Fields(text), " ")
	lower := strings.ToLower(text)
	first := len(lower)
	for _, w := range words {
		if at := strings.Index(lower, w); at >= 0 {
			first = min(first, at)
		}
	}
	if first == len(lower) {
		first = 0
	}
	letters := []rune(text)
	start := max(0, utf8.RuneCountInString(lower[:first])-before)
	start = min(start, len(letters))
	end := min(len(letters), start+length)
	part := string(letters[start:end])
	if _, rest, cut := strings.Cut(part, " "); cut && start > 0 {
		part = "… " + rest
	}
	if last := strings.LastIndex(part, " "); last > 0 && end < len(letters) {
		part = part[:last] + " …"
	}
	return part
}
