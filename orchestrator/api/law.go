package api

import (
	"context"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/problem"
)

// Law gives access to the Acts and Rules. Days are ISO dates; "" means today.
type Law interface {
	Acts() ([]LawAct, error)
	// Provision returns a provision as it was on a day, or ErrNoProvision.
	Provision(act, number, on string) (*LawProvision, error)
	Search(words, act, on string, limit int) ([]LawHit, error)
}

// ErrNoProvision means that the index has no such provision.
var ErrNoProvision = errors.New("no such provision")

// LawAct is an Act, or Rules, with its chapters.
type LawAct struct {
	ID       string       `json:"id" example:"cgst"`
	Short    string       `json:"short" example:"CGST Act"`
	Name     string       `json:"name"`
	Unit     string       `json:"unit" enum:"section,rule"`
	AsOn     string       `json:"as_on,omitempty" doc:"The day up to which the imported text is amended; missing where none is imported"`
	Held     int          `json:"held" doc:"How many sections or rules the imported text has"`
	Chapters []LawChapter `json:"chapters"`
}

// LawChapter is a group of sections or rules.
type LawChapter struct {
	ID         string    `json:"id"`
	Title      string    `json:"title"`
	Provisions []LawHead `json:"provisions"`
}

// LawHead is a section or rule in a list.
type LawHead struct {
	Number  string `json:"number"`
	Heading string `json:"heading"`
	Status  string `json:"status" enum:"current,historical,not commenced,omitted,unknown"`
}

// LawHit is a provision that a search found.
type LawHit struct {
	Act        string  `json:"act"`
	Number     string  `json:"number" example:"16(4)"`
	Heading    string  `json:"heading"`
	Digest     string  `json:"digest" doc:"What it says, in our words, in English"`
	Hindi      string  `json:"hindi"`
	Text       string  `json:"text" doc:"The official text; empty if it is not held"`
	ValidFrom  string  `json:"valid_from"`
	ValidUntil string  `json:"valid_until"`
	Score      float64 `json:"score"`
}

// LawProvision is everything the index has about a provision as it was on a day.
type LawProvision struct {
	Act      LawAct         `json:"act" doc:"Without its chapters"`
	Number   string         `json:"number"`
	Heading  string         `json:"heading"`
	Chapter  string         `json:"chapter,omitempty"`
	On       string         `json:"on" doc:"The day, as an ISO date"`
	Digest   *LawDigest     `json:"digest,omitempty" doc:"As it stood on that day; missing if the digest does not have it"`
	Versions []LawDigest    `json:"versions" doc:"Of the digest, oldest first"`
	Parts    []LawDigest    `json:"parts" doc:"Sub-sections and clauses that the digest has, as they stood on that day"`
	Text     *LawText       `json:"text,omitempty" doc:"The official text as it stood on that day"`
	Missing  *Sentence      `json:"missing,omitempty" doc:"Why there are no official words"`
	History  []LawText      `json:"history" doc:"The official text over time, oldest first"`
	Notes    []LawNote      `json:"notes" doc:"The footnotes of the newest source"`
	Refers   []LawReference `json:"refers"`
	CitedBy  []LawReference `json:"cited_by"`
	Later    []LawLater     `json:"later" doc:"Known amendments that are not in the official text held here"`
	Differ   []string       `json:"differ" doc:"Where the sources of the text disagree"`
	Source   *LawSource     `json:"source,omitempty" doc:"Of the official words"`
}

// LawDigest is our own summary of a provision for a period.
type LawDigest struct {
	Number    string      `json:"number"`
	Heading   string      `json:"heading"`
	From      string      `json:"from"`
	Until     string      `json:"until,omitempty"`
	Status    string      `json:"status,omitempty" enum:"omitted,not_commenced"`
	English   string      `json:"english"`
	Hindi     string      `json:"hindi"`
	Numbers   []LawNumber `json:"numbers"`
	Source    string      `json:"source"`
	Certainty string      `json:"certainty" enum:"text,knowledge,to be confirmed"`
	Note      string      `json:"note,omitempty"`
}

// LawNumber is a number or date in a provision, such as a rate or a time limit.
type LawNumber struct {
	What  string `json:"what"`
	Value string `json:"value" doc:"A number, or a date without a year such as 30 November"`
	Unit  string `json:"unit"`
}

// LawText is the official text for a period.
type LawText struct {
	Words   string    `json:"words" doc:"Paragraphs on separate lines; empty if the part did not exist then"`
	From    string    `json:"from" doc:"Empty: since it was made"`
	Until   string    `json:"until,omitempty"`
	Between []string  `json:"changed_between,omitempty" doc:"Two days between which it changed, where only snapshots show that"`
	Status  string    `json:"status" enum:"current,historical,not commenced,omitted,unknown"`
	AsOn    string    `json:"as_on,omitempty" doc:"The day up to which the source is amended"`
	By      []string  `json:"by" doc:"What amended it, as the footnotes name it"`
	Whole   bool      `json:"whole" doc:"The text is that of the whole section, because the part could not be separated"`
	Parts   []LawPart `json:"parts"`
	Marks   []LawMark `json:"marks"`
}

// LawPart says where a part of the provision begins and ends in the official text.
type LawPart struct {
	Number string `json:"number"`
	Kind   string `json:"kind"`
	Start  int    `json:"start" doc:"In UTF-16 units, as JavaScript counts"`
	End    int    `json:"end"`
}

// LawMark says where an amendment inserted or removed words.
type LawMark struct {
	Start int    `json:"start" doc:"In UTF-16 units, as JavaScript counts"`
	End   int    `json:"end" doc:"The same as the start if words were only removed"`
	Kind  string `json:"kind" enum:"inserted,substituted,omitted,unclear"`
	From  string `json:"from,omitempty"`
	By    string `json:"by,omitempty"`
}

// LawNote is a footnote.
type LawNote struct {
	Number string `json:"number"`
	Text   string `json:"text"`
}

// LawReference is a provision that another provision mentions.
type LawReference struct {
	Act     string `json:"act"`
	Number  string `json:"number"`
	Heading string `json:"heading"`
}

// LawLater is a known amendment that the text does not include yet.
type LawLater struct {
	By   string `json:"by" example:"18/2025-Central Tax"`
	Date string `json:"date,omitempty"`
	From string `json:"from,omitempty"`
}

// LawSource is an imported file of official text.
type LawSource struct {
	Name      string `json:"name"`
	Publisher string `json:"publisher"`
	AsOn      string `json:"as_on,omitempty"`
	Read      string `json:"read,omitempty"`
	SHA256    string `json:"sha256"`
}

// lawIsPublic lets shared caches keep law pages, which contain nothing personal, but briefly, so that a new import
// shows soon.
const lawIsPublic = "public, max-age=300"

// public is an answer that shared caches may keep.
type public[T any] struct {
	Cache string `header:"Cache-Control"`
	Body  T
}

// lawRoutes registers the law routes, which need no session.
func (s *server) lawRoutes(api huma.API) {
	get(api, "list-law", "/api/law", "The Acts and Rules with their chapters, sections and rules", s.lawActs)
	get(api, "search-law", "/api/law/search", "The provisions that words or a number are about, best first",
		s.searchLaw)
	get(api, "get-provision", "/api/law/{act}/{number}", "A provision as it stood on a day: digest, official words, "+
		"history", s.provision)
}

// LawActs lists the Acts and Rules.
type LawActs struct {
	Acts []LawAct `json:"acts"`
}

func (s *server) lawActs(context.Context, *none) (*public[LawActs], error) {
	acts, err := s.Law.Acts()
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &public[LawActs]{lawIsPublic, LawActs{acts}}, nil
}

// LawHits lists the results of a search.
type LawHits struct {
	Hits []LawHit `json:"hits"`
}

type lawSearchInput struct {
	Words string `query:"q" required:"true" maxLength:"400" doc:"A question, words or a number, in English, Hindi or Hinglish"`
	Act   string `query:"act" maxLength:"40" doc:"Only in this Act or these Rules"`
	On    string `query:"on" maxLength:"10" doc:"Only what was law on this day, as an ISO date"`
	Limit int    `query:"limit" minimum:"1" maximum:"50" default:"10"`
}

func (s *server) searchLaw(_ context.Context, in *lawSearchInput) (*public[LawHits], error) {
	if err := checkDay(in.On); err != nil {
		return nil, err
	}
	hits, err := s.Law.Search(in.Words, in.Act, in.On, in.Limit)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &public[LawHits]{lawIsPublic, LawHits{hits}}, nil
}

type provisionInput struct {
	Act    string `path:"act" maxLength:"40" example:"cgst"`
	Number string `path:"number" maxLength:"40" example:"16(4)"`
	On     string `query:"on" maxLength:"10" doc:"The day, as an ISO date; today without"`
}

func (s *server) provision(_ context.Context, in *provisionInput) (*public[LawProvision], error) {
	if err := checkDay(in.On); err != nil {
		return nil, err
	}
	p, err := s.Law.Provision(in.Act, in.Number, in.On)
	if errors.Is(err, ErrNoProvision) {
		return nil, refuse("law_unknown_provision", problem.Params{"number": in.Number})
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &public[LawProvision]{lawIsPublic, *p}, nil
}

func checkDay(day string) error {
	if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
		return refuse("law_no_day", problem.Params{"day": day})
	}
	return nil
}
