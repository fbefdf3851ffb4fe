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
	Taken     Mail `json:"taken"`     // to an address that has an account already, with the link to sign in
	Confirm   Mail `json:"confirm"`   // with the link that confirms the address
	Reset     Mail `json:"reset"`     // with the link to choose another password
	Reminder  Mail `json:"reminder"`  // about the day by which a notice must be answered
	Unsettled Mail `json:"unsettled"` // the same, while that day is not yet confirmed
	Undated   Mail `json:"undated"`   // that no day could be read from a notice
	Hearing   Mail `json:"hearing"`   // about the day of a hearing
	Ending    Mail `json:"ending"`    // about the day on which a paid period ends
	Invite    Mail `json:"invite"`    // invitation to join a firm, with the link that accepts it
}

// Mail is the subject and the text of one mail, with places such as {link} to be filled in.
type Mail struct {
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// MailsIn returns the mails in a language, given by its code; English where there are none in that language.
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
		panic("account: the mails in " + language + ": " + err.Error()) // a broken build: a test reads them
	}
	return m
}

// With replaces placeholders in a mail; the arguments are pairs of a placeholder, such as "{link}", and its value.
func (m Mail) With(places ...string) Mail {
	fill := strings.NewReplacer(places...)
	return Mail{Subject: fill.Replace(m.Subject), Text: fill.Replace(m.Text)}
}
