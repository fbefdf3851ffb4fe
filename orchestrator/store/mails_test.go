package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// A mail is sent once a day, whichever process tries; a mail that was refused is tried three times; and one whose
// process died while sending is not sent again.
func TestMailOnce(t *testing.T) {
	f := newFirm(t)
	a := f.standing(t, role.Preparer)
	mail := store.MemberMail{Workspace: f.id, Member: a.Member, Kind: "digest", About: f.id}
	now := time.Now()
	var sent atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := f.MailOnce(t.Context(), mail, now, func() error { sent.Add(1); return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if sent.Load() != 1 {
		t.Errorf("the mail was sent %d times", sent.Load())
	}
	if again, err := f.MailOnce(t.Context(), mail, now.AddDate(0, 0, 1), func() error { return nil }); err != nil || !again {
		t.Errorf("on the next day it is sent: %v, %v", again, err)
	}
	refused, tries := errors.New("refused"), 0
	mail.Kind = "review"
	for range 5 {
		_, err := f.MailOnce(t.Context(), mail, now, func() error { tries++; return refused })
		if err != nil && !errors.Is(err, refused) {
			t.Error(err)
		}
	}
	if tries != 3 {
		t.Errorf("a mail that is refused was tried %d times", tries)
	}
	mail.Kind = "approved"
	func() { // as if the process had died
		defer func() { _ = recover() }()
		_, _ = f.MailOnce(t.Context(), mail, now, func() error { panic("killed") })
	}()
	if again, err := f.MailOnce(t.Context(), mail, now, func() error { return nil }); err != nil || again {
		t.Errorf("after its sender died it is sent: %v, %v", again, err)
	}
}

// A member's choice of mails is their own; nobody reads or changes the choices of another firm.
func TestMailChoices(t *testing.T) {
	f := newFirm(t)
	a := f.standing(t, role.Preparer)
	hour := 7
	must(t, f.SetMailChoices(a.As(t.Context()), f.id, store.MailChoices{DigestHour: &hour, Language: "hi"}))
	got, err := f.MailChoices(a.As(t.Context()), f.id, a.Member)
	must(t, err)
	if got.DigestHour == nil || *got.DigestHour != 7 || got.Reviews || got.Reminders || got.Language != "hi" {
		t.Errorf("the preparer is mailed %+v", got)
	}
	other, err := f.FoundFirm(t.Context(), f.person(t, "elsewhere"), "Other & Co", "Meena")
	must(t, err)
	if got, err = f.MailChoices(t.Context(), other, a.Member); err != nil || got.DigestHour != nil {
		t.Errorf("from another firm one reads %+v, %v", got, err)
	}
	wantErr(t, f.SetMailChoices(f.as(t, role.Viewer), f.id, store.MailChoices{Language: "en"}), store.ErrForbidden)
}
