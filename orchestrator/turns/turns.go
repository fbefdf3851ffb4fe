// Package turns declares the data types of a turn that workflows, activities and the store share. It imports no other
// package of ours.
package turns

// Page is a page of a document as it was read. Width and Height are in points, as the page is displayed; Confidence is
// 0 to 1.
type Page struct {
	Number        int // counted from 1
	Text          string
	Method        string // how it was read: see Recognition and Unreadable
	Confidence    float64
	Languages     string
	Width, Height float64
	Words         []byte // positions of its words, encoded by the reader; nil if not requested
}

// How a page was read, as far as users of its text need to know.
const (
	Recognition = "recognition" // by text recognition
	Unreadable  = "unreadable"  // it could not be read
)

// Recognised reports whether the text was recognised from an image, and so may contain errors.
func (p Page) Recognised() bool { return p.Method == Recognition }

// Unreadable reports whether the page could not be read.
func (p Page) Unreadable() bool { return p.Method == Unreadable }

// Authority is a judgment, ruling or past reply that the person supplied. Decided is an ISO date, or "".
type Authority struct {
	ID                                    string
	Citation, Court, Decided, Proposition string
	Elsewhere                             bool   // supplied for another conversation of the same workspace
	HasPDF                                bool   // its PDF was uploaded
	Pages                                 []Page // the pages read so far, if requested
}

// LawPassage is the text of a provision, for a prompt.
type LawPassage struct {
	LawSource
	Says  string `json:"says"`            // our digest
	Words string `json:"words,omitempty"` // of the official text; "" if the index does not have it
}

// LawSource is a provision as it was on a day. Days are ISO dates.
type LawSource struct {
	Act     string `json:"act,omitempty"`    // id of its Act, such as "cgst"; old records have none
	Number  string `json:"number,omitempty"` // "16(4)"
	Name    string `json:"name"`             // "section 16(4) of the CGST Act, 2017"
	Heading string `json:"heading"`
	On      string `json:"on,omitempty"`    // the day for which it was looked up
	From    string `json:"from"`            // since when it has this wording
	Until   string `json:"until,omitempty"` // the last day of this wording; "" while it is in force
	Status  string `json:"status,omitempty"`
	Held    bool   `json:"held,omitempty"` // the index has its official text, which was given to the model

	// if the text is not from the law: the id of the authority called Name
	Authority string `json:"authority,omitempty"`
	Page      int    `json:"page,omitempty"` // of the authority's PDF
}

// Begun is the state of a turn at its start.
type Begun struct {
	Stop    bool // the person stopped it before it started
	Awaited bool // it has a document while the conversation's follow-up waits
	Premium bool // the person has paid
}

// ResultKey identifies the result of a step, or of one part of it, for given inputs.
type ResultKey struct{ Step, Part, InputSHA string }

// Utterance is an earlier message.
type Utterance struct {
	Role, Text string
	Turn       string `json:"-"` // the turn to which it belongs, for messages of a conversation
}
