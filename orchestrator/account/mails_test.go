package account

import (
	"reflect"
	"regexp"
	"slices"
	"testing"
)

// Every mail exists in every language, with the same placeholders.
func TestMails(t *testing.T) {
	files, err := mailFiles.ReadDir("mails")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files of mails were found, %v", len(files), err)
	}
	place := regexp.MustCompile(`\{\w+\}`)
	english := reflect.ValueOf(MailsIn("en"))
	for _, file := range files {
		language := file.Name()[:2]
		m := reflect.ValueOf(MailsIn(language))
		for i := range m.NumField() {
			mail, isMail := m.Field(i).Interface().(Mail)
			if !isMail {
				continue
			}
			as, name := english.Field(i).Interface().(Mail), m.Type().Field(i).Name
			if mail.Subject == "" || mail.Text == "" {
				t.Errorf("the mail %s is empty in %s", name, language)
			}
			for _, pair := range [][2]string{{mail.Subject, as.Subject}, {mail.Text, as.Text}} {
				has, wants := place.FindAllString(pair[0], -1), place.FindAllString(pair[1], -1)
				slices.Sort(has)
				slices.Sort(wants)
				if !slices.Equal(has, wants) {
					t.Errorf("the mail %s has the places %v in %s, and %v in English", name, has, language, wants)
				}
			}
		}
	}
	if MailsIn("hi").Confirm == MailsIn("en").Confirm || MailsIn("xx") != MailsIn("en") {
		t.Error("Hindi has mails of its own, and a language that has none gets those in English")
	}
	if m := MailsIn("en").Reminder.With("{day}", "22 November 2026", "{title}", "{link} of Sharma", "{link}", "http://x"); m.Subject != "Reply by 22 November 2026: {link} of Sharma" {
		t.Errorf("what a person wrote is filled in as it is, not %q", m.Subject)
	}
}
