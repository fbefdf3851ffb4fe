// Package turns declares what the workflows, what serves them and the store all say of a turn: pure data, which knows
// no other room.
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
	Words         []byte // where its words stand, packed by the reader; nil where nobody asked for them
}

// How a page was read, where it makes a difference to who uses its text.
const (
	Recognition = "recognition" // from its picture
	Unreadable  = "unreadable"  // not at all
)

// Recognised reports whether the text was read from a picture, with the errors that this makes.
func (p Page) Recognised() bool { return p.Method == Recognition }

// Unreadable reports whether nothing of the page could be read.
func (p Page) Unreadable() bool { return p.Method == Unreadable }

// Authority is a judgment, ruling or past reply that the person supplied. Decided is an ISO date, or "".
type Authority struct {
	ID                                    string
	Citation, Court, Decided, Proposition string
	Elsewhere                             bool   // supplied for another conversation of the same workspace
	HasPDF                                bool   // it came with its PDF
	Pages                                 []Page // of that, as far as they were read and were asked for
}

// LawPassage is what a provision of the law says, for a prompt.
type LawPassage struct {
	LawSource
	Says  string `json:"says"`            // in our own words
	Words string `json:"words,omitempty"` // of the official text, "" where it is not held
}

// LawSource is a provision as on a day. Days are ISO dates.
type LawSource struct {
	Act     string `json:"act,omitempty"`    // by its id, "cgst"; what was kept at first has none
	Number  string `json:"number,omitempty"` // "16(4)"
	Name    string `json:"name"`             // "section 16(4) of the CGST Act, 2017"
	Heading string `json:"heading"`
	On      string `json:"on,omitempty"`    // the day as on which it was read
	From    string `json:"from"`            // since when it has read so
	Until   string `json:"until,omitempty"` // the last day, "" while it is in force
	Status  string `json:"status,omitempty"`
	Held    bool   `json:"held,omitempty"` // its official text is held, and was given

	Authority string `json:"authority,omitempty"` // of words that stand in no law: the id of the person's authority, by its Name
	Page      int    `json:"page,omitempty"`      // of its PDF
}

// Begun is what a turn finds when it begins.
type Begun struct {
	Stop    bool // the person stopped it before
	Awaited bool // it brings a document while the conversation's follow-up waits
	Premium bool // the person has paid
}

// ResultKey names what a step, or one part of it, made of given inputs.
type ResultKey struct{ Step, Part, InputSHA string }

// Utterance is an earlier message.
type Utterance struct {
	Role, Text string
	Turn       string `json:"-"` // that it belongs to, for those of a conversation
}
