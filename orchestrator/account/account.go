// Package account handles sign-up and sign-in. It throttles password guessing, sends the links that confirm an address
// or reset a password, and moves a visitor's work to their account. It does not decide what an account may use or has
// paid for. It does not reveal whether an address has an account, except where no mail can be sent, since sign-up then
// cannot hide it.
package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/mail"
	"net/netip"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Consent is the version of the data notice to which people agree when they sign up; a changed text gets a new
// version.
const Consent = "2026-11"

// How long links in mails are valid.
const (
	confirmLife = 48 * time.Hour
	resetLife   = time.Hour
)

// Limits on trying a password: for one account from one network or recognised browser, for one account from everywhere
// else, and from one network. Also limits on mail to one address, and on requesting mail from one network.
var (
	perPair    = store.Rate{Every: 30 * time.Second, Burst: 10}
	perAccount = store.Rate{Every: 10 * time.Second, Burst: 30}
	perNetwork = store.Rate{Every: 2 * time.Second, Burst: 60}
	perMailbox = store.Rate{Every: 10 * time.Minute, Burst: 3}
)

// Store is the part of the store that this package needs.
type Store interface {
	SignUp(context.Context, store.NewPerson, store.Arrival) (uuid.UUID, error)
	SignIn(ctx context.Context, workspace uuid.UUID, a store.Arrival) error
	Credentials(ctx context.Context, address string) (workspace uuid.UUID, hash string, err error)
	Person(ctx context.Context, workspace uuid.UUID) (store.Person, error)
	SetPassword(ctx context.Context, workspace uuid.UUID, hash string, a store.Arrival) error
	KnowsBrowser(ctx context.Context, address, token string) (bool, error)
	AddLetter(ctx context.Context, token string, l store.Letter) error
	Letter(ctx context.Context, token, purpose string) (store.Letter, error)
	ResetPassword(ctx context.Context, token, hash string) (workspace uuid.UUID, err error)
	Throttle(ctx context.Context, key string, r store.Rate) (time.Duration, error)
	Unthrottle(ctx context.Context, key string) error
	ForgetThrottles(ctx context.Context, mark string) error
	Note(ctx context.Context, workspace *uuid.UUID, event string, detail map[string]any) error
}

// Mailer sends a mail, which may take a while.
type Mailer interface {
	Send(ctx context.Context, to, subject, text string) error
}

// Accounts signs people up and in.
type Accounts struct {
	store Store
	mail  Mailer // nil: no mail is sent
	words *hasher
	life  store.SessionLife
	url   string // base address of links in mails
	name  string // product name, used in mails
	log   *slog.Logger
}

// Options configure Accounts. If Mail is nil, no mail is sent; URL is the product's public address.
type Options struct {
	Store        Store
	Mail         Mailer
	Life         store.SessionLife
	HashesAtOnce int
	URL, Product string
	Log          *slog.Logger
}

// New returns Accounts that use a store.
func New(o Options) *Accounts {
	return &Accounts{
		store: o.Store,
		mail:  o.Mail,
		words: newHasher(o.HashesAtOnce),
		life:  o.Life,
		url:   strings.TrimRight(o.URL, "/"),
		name:  o.Product,
		log:   o.Log,
	}
}

// Mails reports whether mail is sent, in which case new accounts must be confirmed.
func (a *Accounts) Mails() bool { return a.mail != nil }

// Idle returns how long a signed-in session lasts without use.
func (a *Accounts) Idle() time.Duration { return a.life.Idle }

// Browser describes the browser of a request: its session token ("" for none), user agent, network address and
// language.
type Browser struct {
	Token   string
	Known   string     // token by which accounts recognise a browser that has signed in before
	Visitor *uuid.UUID // the visitor's workspace, if nobody is signed in
	Device  string
	Address string
	// Language is the language code for mails; "" for English.
	Language string
}

// Entry is what someone enters to sign up or in.
type Entry struct {
	Email, Password string
	Consent         string // sign-up: the version of the data notice to which they agreed
	// Permit is called before a valid sign-up creates an account, and may refuse it; it may be nil.
	Permit func(context.Context) error
}

// SignUp creates an account and returns the browser's new session token. If mail is sent, it instead mails a link that
// creates the account, and returns "", so that only the mail reveals whether the address already has an account. A
// *problem.Error says what the person can do.
func (a *Accounts) SignUp(ctx context.Context, e Entry, b Browser) (token string, err error) {
	address, err := AddressOf(e.Email)
	switch {
	case err != nil:
		return "", err
	case e.Consent != Consent:
		return "", problem.New("consent_needed", nil, nil)
	}
	if err := a.choosable(e.Password, address); err != nil {
		return "", err
	}
	if err := a.throttle(ctx, address, b); err != nil {
		return "", err
	}
	if e.Permit != nil {
		if err := e.Permit(ctx); err != nil {
			return "", err
		}
	}
	hash, err := a.words.hash(ctx, e.Password)
	if err != nil {
		return "", err
	}
	email := written(e.Email)
	if a.mail == nil {
		token, arrival := a.arrival(b)
		_, err := a.store.SignUp(ctx, store.NewPerson{Email: email, Address: address, Password: hash,
			Consent: e.Consent}, arrival)
		if errors.Is(err, store.ErrTaken) {
			return "", problem.New("address_taken", nil, nil)
		}
		return token, err
	}
	if err := a.wait(ctx, "mail|"+mark(address), perMailbox); err != nil {
		return "", err
	}
	a.later(ctx, func(ctx context.Context) error {
		switch _, _, err := a.store.Credentials(ctx, address); {
		case err == nil:
			return a.send(ctx, email, MailsIn(b.Language).Taken.With("{link}", a.url+"/app"))
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
		secret := newToken()
		err := a.store.AddLetter(ctx, secret,
			store.Letter{Purpose: "confirm", Email: email, Address: address, Password: hash, Consent: e.Consent,
				Visitor: b.Visitor, Life: confirmLife})
		if err != nil {
			return err
		}
		return a.send(ctx, email, MailsIn(b.Language).Confirm.With("{link}", a.url+"/app#confirm="+secret))
	})
	return "", nil
}

// Confirm uses the link of a sign-up and returns the browser's session token. A browser other than the one that signed
// up must also give the password. Otherwise someone who signed up with another person's address would get in when that
// person clicks the link.
func (a *Accounts) Confirm(ctx context.Context, secret, password string, b Browser) (token string, err error) {
	l, err := a.store.Letter(ctx, secret, "confirm")
	if errors.Is(err, store.ErrNotFound) {
		return "", problem.New("link_spent", nil, nil)
	}
	if err != nil {
		return "", err
	}
	if l.Visitor == nil || b.Visitor == nil || *l.Visitor != *b.Visitor {
		if password == "" {
			return "", problem.New("password_needed", nil, nil)
		}
		if err := a.throttle(ctx, l.Address, b); err != nil {
			return "", err
		}
		if same, err := a.words.matches(ctx, password, l.Password); err != nil || !same {
			return "", errors.Join(err, problem.New("wrong_credentials", nil, nil))
		}
	}
	token, arrival := a.arrival(b)
	_, err = a.store.SignUp(ctx, store.NewPerson{Email: l.Email, Address: l.Address, Password: l.Password,
		Confirmed: true, Consent: l.Consent}, arrival)
	if errors.Is(err, store.ErrTaken) {
		return "", problem.New("link_spent", nil, nil)
	}
	return token, err
}

// SignIn returns a session token for an address and its password. The account takes over the data of the browser's
// visitor.
func (a *Accounts) SignIn(ctx context.Context, e Entry, b Browser) (token string, err error) {
	address, err := AddressOf(e.Email)
	if err != nil {
		return "", err
	}
	if len(e.Password) > longestPassword {
		return "", problem.New("wrong_credentials", nil, nil)
	}
	if err := a.throttle(ctx, address, b); err != nil {
		return "", err
	}
	workspace, hash, err := a.store.Credentials(ctx, address)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return "", err
	}
	same, err := a.words.matches(ctx, e.Password, hash)
	if err != nil {
		return "", err
	}
	if !same {
		var whose *uuid.UUID // nil: no such account; recorded anyway, so that it takes equally long
		if hash != "" {
			whose = &workspace
		}
		a.note(ctx, whose, "sign_in_refused")
		return "", problem.New("wrong_credentials", nil, nil)
	}
	token, arrival := a.arrival(b)
	if err := a.store.SignIn(ctx, workspace, arrival); err != nil {
		return "", err
	}
	for _, key := range []string{pairKey(address, b), knownKey(address, b)} {
		if err := a.store.Unthrottle(ctx, key); err != nil {
			a.log.WarnContext(ctx, "the tries before a good password still count", "error", err)
		}
	}
	return token, nil
}

// Forgot mails a link to choose a new password. It does not reveal whether the address has an account.
func (a *Accounts) Forgot(ctx context.Context, email string, b Browser) error {
	if a.mail == nil {
		return problem.New("no_mail", nil, nil)
	}
	address, err := AddressOf(email)
	if err != nil {
		return err
	}
	if err := a.throttle(ctx, address, b); err != nil {
		return err
	}
	if err := a.wait(ctx, "mail|"+mark(address), perMailbox); err != nil {
		return err
	}
	a.later(ctx, func(ctx context.Context) error {
		workspace, _, err := a.store.Credentials(ctx, address)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		p, err := a.store.Person(ctx, workspace)
		if err != nil {
			return err
		}
		secret := newToken()
		if err := a.store.AddLetter(ctx, secret,
			store.Letter{Purpose: "reset", Email: p.Email, Address: p.Address, Life: resetLife}); err != nil {
			return err
		}
		return a.send(ctx, p.Email, MailsIn(b.Language).Reset.With("{link}", a.url+"/app#reset="+secret))
	})
	return nil
}

// Reset uses the link for a forgotten password: it sets a new one, signs out every browser, and returns a session
// token for this one.
func (a *Accounts) Reset(ctx context.Context, secret, password string, b Browser) (token string, err error) {
	letter, err := a.store.Letter(ctx, secret, "reset")
	if errors.Is(err, store.ErrNotFound) {
		return "", problem.New("link_spent", nil, nil) // checked before any hashing, so that guessing costs us little
	}
	if err != nil {
		return "", err
	}
	if err := a.choosable(password, letter.Address); err != nil {
		return "", err
	}
	hash, err := a.words.hash(ctx, password)
	if err != nil {
		return "", err
	}
	workspace, err := a.store.ResetPassword(ctx, secret, hash)
	if errors.Is(err, store.ErrNotFound) {
		return "", problem.New("link_spent", nil, nil)
	}
	if err != nil {
		return "", err
	}
	token, arrival := a.arrival(b)
	return token, a.store.SignIn(ctx, workspace, arrival)
}

// ChangePassword sets a new password for someone who knows the current one, signs out all other browsers, and returns
// a new session token for this one.
func (a *Accounts) ChangePassword(ctx context.Context, person uuid.UUID, old, password string,
	b Browser) (token string, err error) {
	p, err := a.store.Person(ctx, person)
	if err != nil {
		return "", err
	}
	if err := a.choosable(password, p.Address); err != nil {
		return "", err
	}
	if err := a.Knows(ctx, person, old, b); err != nil {
		return "", err
	}
	hash, err := a.words.hash(ctx, password)
	if err != nil {
		return "", err
	}
	token, arrival := a.arrival(b)
	return token, a.store.SetPassword(ctx, person, hash, arrival)
}

// Knows returns nil if the person knows the account's password. It is called before actions that cannot be undone.
func (a *Accounts) Knows(ctx context.Context, person uuid.UUID, password string, b Browser) error {
	p, err := a.store.Person(ctx, person)
	if err != nil {
		return err
	}
	if err := a.throttle(ctx, p.Address, b); err != nil {
		return err
	}
	same, err := a.words.matches(ctx, password, p.Password)
	if err != nil {
		return err
	}
	if !same {
		return problem.New("wrong_password", nil, nil)
	}
	return nil
}

// AddressOf returns an e-mail address in the normal form used to compare addresses; a *problem.Error if it is not an
// address.
func AddressOf(email string) (string, error) {
	email = written(email)
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || store.OneLine(email) != email ||
		len(email) > 254 {
		return "", problem.New("bad_email", nil, nil)
	}
	return strings.ToLower(email), nil
}

// written returns an address in the form used to send mail. It normalises letters as AddressOf does, so that a
// look-alike address cannot be another mailbox of the same account.
func written(email string) string { return strings.TrimSpace(norm.NFKC.String(email)) }

func (a *Accounts) arrival(b Browser) (token string, _ store.Arrival) {
	token = newToken()
	return token, store.Arrival{Token: token, Before: b.Token, Known: b.Known, Device: b.Device, Life: a.life}
}

func newToken() string { return rand.Text() + rand.Text() } // 2 × 128 bits

// throttle counts an attempt at a password. Attempts from other networks do not lock the owner out of a browser that
// the account recognises.
func (a *Accounts) throttle(ctx context.Context, address string, b Browser) error {
	if err := a.wait(ctx, "net|"+network(b.Address), perNetwork); err != nil {
		return err
	}
	if b.Known != "" {
		known, err := a.store.KnowsBrowser(ctx, address, b.Known)
		if err != nil {
			return err
		}
		if known {
			return a.wait(ctx, knownKey(address, b), perPair)
		}
	}
	if err := a.wait(ctx, pairKey(address, b), perPair); err != nil {
		return err
	}
	return a.wait(ctx, "account|"+mark(address), perAccount)
}

func pairKey(address string, b Browser) string {
	return "pair|" + mark(address) + "|" + network(b.Address)
}

func knownKey(address string, b Browser) string {
	return "known|" + mark(address) + "|" + mark(b.Known)
}

func (a *Accounts) wait(ctx context.Context, key string, r store.Rate) error {
	wait, err := a.store.Throttle(ctx, key, r)
	if err != nil {
		return err
	}
	if wait > 0 {
		return problem.New("too_many_tries", problem.Params{"after": wait}, nil)
	}
	return nil
}

func (a *Accounts) note(ctx context.Context, workspace *uuid.UUID, event string) {
	if err := a.store.Note(ctx, workspace, event, nil); err != nil {
		a.log.WarnContext(ctx, "the audit log misses an entry", "event", event, "error", err)
	}
}

// How often sending a mail is tried, and the time limit of each attempt.
const (
	sendTries = 3
	sendTime  = 30 * time.Second
)

// later runs work in the background, because its duration would reveal whether an address has an account.
func (a *Accounts) later(ctx context.Context, do func(context.Context) error) {
	ctx = context.WithoutCancel(ctx)
	go func() {
		if err := do(ctx); err != nil {
			a.log.ErrorContext(ctx, "a mail that was asked for could not be sent", "error", err)
		}
	}()
}

// send sends a mail, with several attempts.
func (a *Accounts) send(ctx context.Context, to string, m Mail) (err error) {
	for try := range sendTries {
		time.Sleep(time.Duration(try) * 5 * time.Second)
		err = func() error {
			ctx, cancel := context.WithTimeout(ctx, sendTime)
			defer cancel()
			return a.mail.Send(ctx, to, a.name+": "+m.Subject, m.Text)
		}()
		if err == nil {
			return nil
		}
	}
	return err
}

// Forget deletes the counts of password attempts and mail requests for an address, so that nothing about the address
// remains.
func (a *Accounts) Forget(ctx context.Context, email string) error {
	address, err := AddressOf(email)
	if err != nil {
		return err
	}
	return a.store.ForgetThrottles(ctx, mark(address))
}

// mark returns a hash of an address, for places where the address itself must not be readable.
func mark(address string) string {
	sha := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sha[:16])
}

// network returns the part of an address that belongs to one subscriber: the whole of an IPv4 address, or the first
// half of an IPv6 address.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return "unknown"
	}
	ip = ip.Unmap()
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	prefix, err := ip.WithZone("").Prefix(bits)
	if err != nil {
		return "unknown"
	}
	return prefix.String()
}
