package account

import (
	"embed"
	"encoding/json"
	"strings"
)

//go:embed mails
var mailFiles embed.FS

// Mails holds the texts of mails in one language.
type Mails struct {
	Taken     Mail `json:"taken"`     // to an address that already has an account, with the link to sign in
	Confirm   Mail `json:"confirm"`   // with the link that confirms the address
	Reset     Mail `json:"reset"`     // with the link to choose a new password
	Reminder  Mail `json:"reminder"`  // about the date by which a notice must be answered
	Unsettled Mail `json:"unsettled"` // the same, if that date is not yet confirmed
	Undated   Mail `json:"undated"`   // if no date could be read from a notice
	Hearing   Mail `json:"hearing"`   // about the date of a hearing
	Ending    Mail `json:"ending"`    // about the end of a paid period
	Invite    Mail `json:"invite"`    // invitation to join a firm, with the link to accept it
	ToReview  Mail `json:"to_review"` // a draft was sent for review
	Returned  Mail `json:"returned"`  // a draft was returned
	Approved  Mail `json:"approved"`  // a draft was approved
	Digest    Mail `json:"digest"`    // what is due for a member of a firm, once a day

	DigestWords DigestWords `json:"digest_words"`
}

// DigestWords are the headings and labels in a digest.
type DigestWords struct {
	Overdue  string `json:"overdue"`
	Undated  string `json:"undated"`
	Coming   string `json:"coming"`
	Dateless string `json:"dateless"`
	Reviews  string `json:"reviews"`
	Reply    string `json:"reply"`
	Hearing  string `json:"hearing"`
}

// Mail is the subject and text of a mail, with placeholders such as {link}.
type Mail struct {
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// MailsIn returns the mails in a language, given by its code, or in English if that language has none.
func MailsIn(language string) Mails {
	raw, err := mailFiles.ReadFile("mails/" + language + ".json")
	if err != nil {
		raw, err = mailFiles.ReadFile("mails/en.json")
	}
	var m Mails
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		panic("account: the mails in " + language + ": " + err.Error()) // a broken build; a test reads them all
	}
	return m
}

// With replaces placeholders in a mail; the arguments are placeholders, such as "{link}", each followed by its value.
func (m Mail) With(places ...string) Mail {
	fill := strings.NewReplacer(places...)
	return Mail{Subject: fill.Replace(m.Subject), Text: fill.Replace(m.Text)}
}
