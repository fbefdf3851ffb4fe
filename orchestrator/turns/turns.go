// Package turns declares the data types of a turn that workflows, activities and the store share. It imports no other
// package of ours.
package turns

// Page is a page of a document as it was read. Width and Height are in points, as the page is shown; Confidence is 0 to
// 1.
type Page struct {
	Number        int // from 1
	Text          string
	Method        string // how it was read: see Recognition and Unreadable
	Confidence    float64
	Languages     string
	Width, Height float64
	Words         []byte // positions of its words, encoded by the reader; nil where nobody requested them
}

// How a page was read, where it matters to those who use its text.
const (
	Recognition = "recognition" // by recognising its picture
	Unreadable  = "unreadable"  // not at all
)

// Recognised reports whether the text was recognised from a picture, and so may have errors.
func (p Page) Recognised() bool { return p.Method == Recognition }

// Unreadable reports whether nothing of the page could be read.
func (p Page) Unreadable() bool { return p.Method == Unreadable }

// Authority is a judgment, ruling or past reply that the person supplied. Decided is an ISO date, or "".
type Authority struct {
	ID                                    string
	Citation, Court, Decided, Proposition string
	Elsewhere                             bool   // supplied for another conversation of the same workspace
	HasPDF                                bool   // it came with its PDF
	Pages                                 []Page // the pages, as far as they were read and requested
}

// LawPassage is the text of a provision of the law, for a prompt.
type LawPassage struct {
	LawSource
	Says  string `json:"says"`            // in our own words
	Words string `json:"words,omitempty"` // of the official text, "" where we do not hold it
}

// LawSource is a provision as on a day. Days are ISO dates.
type LawSource struct {
	Act     string `json:"act,omitempty"`    // id of its Act, such as "cgst"; old records have none
	Number  string `json:"number,omitempty"` // "16(4)"
	Name    string `json:"name"`             // "section 16(4) of the CGST Act, 2017"
	Heading string `json:"heading"`
	On      string `json:"on,omitempty"`    // the day for which it was read
	From    string `json:"from"`            // since when it has read so
	Until   string `json:"until,omitempty"` // the last day, "" while it is in force
	Status  string `json:"status,omitempty"`
	Held    bool   `json:"held,omitempty"` // its official text is held, and was given to the model

	Authority string `json:"authority,omitempty"` // for words that are not from a law: the id of the person's authority, by its Name
	Page      int    `json:"page,omitempty"`      // of its PDF
}

// Begun is the state of a turn when it begins.
type Begun struct {
	Stop    bool // the person stopped it before it began
	Awaited bool // it brings a document while the conversation's follow-up waits
	Premium bool // the person has paid
}

// ResultKey identifies what a step, or one part of it, produced from given inputs.
type ResultKey struct{ Step, Part, InputSHA string }

// Utterance is an earlier message.
type Utterance struct {
	Role, Text string
	Turn       string `json:"-"` // the turn that it belongs to, for messages of a conversation
}
