package practice

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // decodes file names in other character sets
	"github.com/emersion/go-message/mail"
	"github.com/emersion/go-msgauth/authres"
	"golang.org/x/net/publicsuffix"

	"munshi/orchestrator/store"
)

// readableMail holds the relevant headers of a mail and the number of its files.
type readableMail struct {
	from, subject string
	to            []string // all addresses to which it may have been delivered
	files         int
	authentic     bool // the trusted server has verified the sender
	broken        bool
}

// readMail reads the header of a mail and counts its files. trusted is the id of the server whose Authentication-Results
// are trusted.
func readMail(raw []byte, trusted string) (m readableMail) {
	e, err := message.Read(bytes.NewReader(raw))
	if e == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		m.broken = true
		return m
	}
	h := mail.Header{Header: e.Header}
	// With several authors the sender is not known; an address that is not what it looks like is nobody's.
	if from, err := h.AddressList("From"); err == nil && len(from) == 1 &&
		store.OneLine(from[0].Address) == from[0].Address {
		m.from = strings.ToLower(from[0].Address)
	}
	m.subject, _ = h.Subject()
	for _, key := range []string{"To", "Cc", "Resent-To"} {
		list, _ := h.AddressList(key)
		for _, a := range list {
			m.to = append(m.to, strings.ToLower(a.Address))
		}
	}
	for _, key := range []string{"Delivered-To", "X-Original-To", "Envelope-To"} {
		for fields := h.FieldsByKey(key); fields.Next(); {
			if a := addressOf(fields.Value()); a != "" {
				m.to = append(m.to, a)
			}
		}
	}
	slices.Sort(m.to)
	m.to = slices.Compact(m.to)
	for fields := h.FieldsByKey("Authentication-Results"); fields.Next() && !m.authentic; {
		id, results, err := authres.Parse(fields.Value())
		if err != nil {
			break // it may be the trusted server's, and those below it may be forged
		}
		if trusted != "" && strings.EqualFold(id, trusted) {
			m.authentic = vouched(results, m.from)
			break // the server puts its header on top; those below came with the mail
		}
	}
	err = attachments(raw, func(string, io.Reader) error { m.files++; return nil })
	m.broken = err != nil
	return m
}

// vouched reports whether the results verify that a mail comes from its sender's organisation: DMARC passed, or DKIM or
// SPF passed for a domain of that organisation (the relaxed alignment of DMARC).
func vouched(results []authres.Result, from string) bool {
	sender := organisation(from)
	if sender == "" {
		return false
	}
	return slices.ContainsFunc(results, func(r authres.Result) bool {
		switch r := r.(type) {
		case *authres.DMARCResult:
			return r.Value == authres.ResultPass && organisation(r.From) == sender
		case *authres.DKIMResult:
			return r.Value == authres.ResultPass && organisation(r.Domain) == sender
		case *authres.SPFResult:
			return r.Value == authres.ResultPass && organisation(r.From) == sender
		}
		return false
	})
}

// organisation returns the registered domain of an address or a domain, such as firm.co.in for clerk@mail.firm.co.in. It
// is empty for a public suffix such as co.in, under which anybody can register a domain.
func organisation(of string) string {
	domain := of[strings.LastIndex(of, "@")+1:]
	registered, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(strings.TrimSuffix(domain, ".")))
	if err != nil {
		return ""
	}
	return registered
}

// The maximum nesting depth and number of parts of a mail. Images smaller than logoBytes are ignored, as they are
// usually logos in signatures.
const (
	deepest   = 10
	mostParts = 1000
	logoBytes = 20 << 10
)

var errManyParts = errors.New("the mail has too many parts")

// attachments calls take for each file attached to a mail, or to a mail that is forwarded within it.
func attachments(raw []byte, take func(name string, content io.Reader) error) error {
	e, err := message.Read(bytes.NewReader(raw))
	if e == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		return fmt.Errorf("read a mail: %w", err)
	}
	parts := 0
	return walk(e, 0, &parts, take)
}

func walk(e *message.Entity, depth int, parts *int, take func(name string, content io.Reader) error) error {
	if *parts++; *parts > mostParts || depth > deepest {
		return errManyParts
	}
	if within := e.MultipartReader(); within != nil {
		for {
			part, err := within.NextPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if part == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
				return fmt.Errorf("read a part of a mail: %w", err)
			}
			if err := walk(part, depth+1, parts, take); err != nil {
				return err
			}
		}
	}
	kind, _, _ := e.Header.ContentType()
	kind = strings.ToLower(kind)
	attached := mail.AttachmentHeader{Header: e.Header}
	sent, _ := attached.Filename()
	name := store.FileName(sent)
	if kind == "message/rfc822" {
		inner, err := message.Read(e.Body)
		if inner == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
			return fmt.Errorf("read a forwarded mail: %w", err)
		}
		return walk(inner, depth+1, parts, take)
	}
	paper := kind == "application/pdf" || kind == "application/zip" || strings.HasPrefix(kind, "image/")
	switch {
	case !paper && (name == "" || strings.HasPrefix(kind, "text/")):
		return nil
	case name == "":
		name = "attachment." + kind[strings.LastIndex(kind, "/")+1:]
	}
	content := e.Body
	if strings.HasPrefix(kind, "image/") {
		head, err := io.ReadAll(io.LimitReader(e.Body, logoBytes))
		switch {
		case err != nil: // the readable part is passed on, and is refused later as damaged
			content = bytes.NewReader(head)
		case len(head) < logoBytes:
			return nil
		default:
			content = io.MultiReader(bytes.NewReader(head), e.Body)
		}
	}
	return take(name, content)
}
