package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/account"
	"munshi/orchestrator/store"
)

// Me describes the caller, and what they may use.
type Me struct {
	SignedIn  bool       `json:"signed_in"`
	Email     string     `json:"email" doc:"Empty for a visitor"`
	Operator  bool       `json:"operator"`
	Mail      bool       `json:"mail" doc:"Reminders of reply dates are also sent by e-mail"`
	Used      int        `json:"used" doc:"Free uses already spent, including those of running turns"`
	Free      int        `json:"free" doc:"Number of free uses of a visitor or an account"`
	Limited   bool       `json:"limited" doc:"Uses are counted; false: nothing is sold here, and use is unlimited"`
	Status    string     `json:"status" enum:"active,inactive,pending" doc:"Of the subscription"`
	Premium   bool       `json:"premium" doc:"The subscription is active and its period has not ended"`
	EndsSoon  bool       `json:"ends_soon" doc:"The period ends within days; it is time to renew"`
	PeriodEnd *time.Time `json:"period_end" doc:"When the paid period ends or ended; null if there was none"`
	Firms     []FirmLine `json:"firms" doc:"The firms in which the person works, by name"`
	Acting    *Acting    `json:"acting" doc:"The person's role in the firm named in the address; null in their own workspace, or if they are not a member"`
}

// TransformSchema allows a null firm.
func (Me) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema { return nullable(s, "acting") }

// Device is a browser in which someone is signed in.
type Device struct {
	ID     string    `json:"id" format:"uuid"`
	Name   string    `json:"name" doc:"As the browser calls itself"`
	Since  time.Time `json:"since"`
	SeenAt time.Time `json:"seen_at" doc:"Accurate to an hour"`
	This   bool      `json:"this" doc:"True for the caller's own"`
}

// DeviceList lists the browsers in which someone is signed in.
type DeviceList struct {
	Devices []Device `json:"devices" doc:"The latest used first"`
}

func (s *server) accountRoutes(api huma.API) {
	get(api, "get-me", "/api/me", "Who asks, and what they may use", s.me)
	post(api, "sign-up", "/api/sign-up", "Create an account; where mail is sent, the link in it does", http.StatusOK,
		s.signUp)
	post(api, "confirm", "/api/confirm", "Create the account of a link that was mailed", http.StatusOK, s.confirm)
	post(api, "sign-in", "/api/sign-in", "Sign in", http.StatusOK, s.signIn)
	post(api, "sign-out", "/api/sign-out", "Sign out", http.StatusNoContent, s.signOut)
	post(api, "forgot-password", "/api/password/forgot", "Have a link mailed that lets another password be chosen",
		http.StatusAccepted, s.forgot)
	post(api, "reset-password", "/api/password/reset", "Choose another password by a link that was mailed",
		http.StatusOK, s.reset)
	post(api, "change-password", "/api/password", "Change the password, and sign out everywhere else",
		http.StatusNoContent, s.changePassword)
	post(api, "want-mail", "/api/me/mail", "Say whether reply dates are to be reminded of by mail",
		http.StatusNoContent, s.wantMail)
	get(api, "list-devices", "/api/devices", "Where the person is signed in", s.devices)
	remove(api, "sign-out-device", "/api/devices/{id}", "Sign out of one browser", s.signOutDevice)
	post(api, "sign-out-elsewhere", "/api/devices/sign-out", "Sign out of every other browser", http.StatusNoContent,
		s.signOutElsewhere)
}

type meOutput struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      Me
}

func (s *server) me(ctx context.Context, _ *none) (*body[Me], error) {
	me, err := s.meOf(ctx, sessionOf(ctx))
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Me]{me}, nil
}

// meOf returns what the person with this session may use; of is nil for someone without a session.
func (s *server) meOf(ctx context.Context, of *store.Session) (Me, error) {
	me := Me{Status: "inactive", Firms: []FirmLine{}}
	if free := s.freeUses(ctx); free != nil {
		me.Limited, me.Free = true, *free
	}
	if of == nil {
		return me, nil
	}
	me.SignedIn, me.Email, me.Operator, me.Mail = of.SignedIn, of.Email, of.Operator, of.Mail
	if of.SignedIn {
		firms, err := s.Store.FirmsOf(ctx, of.Workspace)
		if err != nil {
			return Me{}, err
		}
		for _, f := range firms {
			me.Firms = append(me.Firms, FirmLine{ID: f.ID.String(), Name: f.Name, Role: f.Role})
		}
	}
	workspace := of.Workspace
	if a, acts := store.ActingIn(ctx); acts {
		workspace, me.Acting = a.Workspace, actingOf(a)
	} else if placeOf(ctx) != (place{}) {
		return me, nil
	}
	sub, err := s.Store.Subscription(ctx, workspace)
	if err != nil {
		return Me{}, err
	}
	me.Used, me.Status, me.Premium, me.EndsSoon, me.PeriodEnd = int(sub.UsageCount), sub.Status, sub.Premium, sub.EndsSoon, sub.CurrentPeriodEnd
	return me, nil
}

// entered answers a browser that signed in or up. An empty token means that there is no session yet: the person must
// first open a mail.
func (s *server) entered(ctx context.Context, from account.Browser, token string, err error) (*meOutput, error) {
	if err != nil {
		return nil, s.toProblem(err)
	}
	if token == "" {
		me, err := s.meOf(ctx, sessionOf(ctx))
		if err != nil {
			return nil, s.toProblem(err)
		}
		return &meOutput{Body: me}, nil
	}
	session, err := s.Store.Session(ctx, token, s.Accounts.Idle())
	if err != nil {
		return nil, s.toProblem(err)
	}
	me, err := s.meOf(ctx, &session)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &meOutput{SetCookie: []string{s.cookie(token), s.cookieOf(knownCookieName(s.Secure), from.Known)}, Body: me},
		nil
}

type entryInput struct {
	Body struct {
		Email    string `json:"email" maxLength:"1000"`
		Password string `json:"password" maxLength:"4000"`
		Consent  string `json:"consent,omitempty" maxLength:"40" doc:"When signing up: the notice that was agreed to, by its name in the configuration"`
	}
}

func (in *entryInput) entry() account.Entry {
	return account.Entry{Email: in.Body.Email, Password: in.Body.Password, Consent: in.Body.Consent}
}

func (s *server) signUp(ctx context.Context, in *entryInput) (*meOutput, error) {
	from := arriving(ctx)
	known := "" // their visitor cookie, by which the browser is recognised when they open the link in the mail
	if s.Accounts.Mails() {
		visitor, cookie, err := s.welcome(ctx)
		if err != nil {
			return nil, s.toProblem(err)
		}
		if cookie != "" {
			known, from.Visitor = cookie, &visitor
		}
	}
	entry := in.entry()
	entry.Permit = s.permitSignUp
	token, err := s.Accounts.SignUp(ctx, entry, from)
	out, err := s.entered(ctx, from, token, err)
	if err == nil && out.SetCookie == nil && known != "" {
		out.SetCookie = []string{known}
	}
	return out, err
}

func (s *server) signIn(ctx context.Context, in *entryInput) (*meOutput, error) {
	from := arriving(ctx)
	token, err := s.Accounts.SignIn(ctx, in.entry(), from)
	return s.entered(ctx, from, token, err)
}

type linkInput struct {
	Body struct {
		Token    string `json:"token" minLength:"1" maxLength:"200" doc:"From the link's fragment"`
		Password string `json:"password,omitempty" maxLength:"4000"`
	}
}

func (s *server) confirm(ctx context.Context, in *linkInput) (*meOutput, error) {
	from := arriving(ctx)
	token, err := s.Accounts.Confirm(ctx, in.Body.Token, in.Body.Password, from)
	return s.entered(ctx, from, token, err)
}

func (s *server) reset(ctx context.Context, in *linkInput) (*meOutput, error) {
	from := arriving(ctx)
	token, err := s.Accounts.Reset(ctx, in.Body.Token, in.Body.Password, from)
	return s.entered(ctx, from, token, err)
}

// newCookie answers with a new session cookie and nothing else.
type newCookie struct {
	SetCookie string `header:"Set-Cookie"`
	// Clear tells the browser to delete its cached answers, in case somebody else uses it next.
	Clear string `header:"Clear-Site-Data"`
}

// forgetAnswers is the value of Clear. It keeps cookies, since one of them tells accounts which browser this is.
const forgetAnswers = `"cache"`

func (s *server) signOut(ctx context.Context, _ *none) (*newCookie, error) {
	b := browser(ctx)
	if of := sessionOf(ctx); of == nil || !of.SignedIn {
		return &newCookie{}, nil
	}
	next := newToken()
	known, err := s.Store.SignOut(ctx, b.Token, next)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if !known {
		next = ""
	}
	s.ended.end(sessionOf(ctx).ID)
	return &newCookie{SetCookie: s.cookie(next), Clear: forgetAnswers}, nil
}

type forgotInput struct {
	Body struct {
		Email string `json:"email" maxLength:"1000"`
	}
}

func (s *server) forgot(ctx context.Context, in *forgotInput) (*none, error) {
	if err := s.Accounts.Forgot(ctx, in.Body.Email, browser(ctx)); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type passwordInput struct {
	Body struct {
		Old string `json:"old" maxLength:"4000"`
		New string `json:"new" maxLength:"4000"`
	}
}

func (s *server) changePassword(ctx context.Context, in *passwordInput) (*newCookie, error) {
	person, err := signedIn(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	token, err := s.Accounts.ChangePassword(ctx, person, in.Body.Old, in.Body.New, browser(ctx))
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &newCookie{SetCookie: s.cookie(token)}, nil
}

type mailInput struct {
	Body struct {
		Wanted bool `json:"wanted"`
	}
}

func (s *server) wantMail(ctx context.Context, in *mailInput) (*none, error) {
	person, err := signedIn(ctx)
	if err == nil {
		err = s.Store.WantMail(ctx, person, in.Body.Wanted)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

func (s *server) devices(ctx context.Context, _ *none) (*body[DeviceList], error) {
	person, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.Store.Devices(ctx, person)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := DeviceList{Devices: make([]Device, len(rows))}
	for i, d := range rows {
		list.Devices[i] = Device{
			ID:     d.ID.String(),
			Name:   d.Device,
			Since:  d.CreatedAt,
			SeenAt: d.SeenAt,
			This:   d.ID == sessionOf(ctx).ID,
		}
	}
	return &body[DeviceList]{list}, nil
}

type deviceInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (s *server) signOutDevice(ctx context.Context, in *deviceInput) (*none, error) {
	person, err := signedIn(ctx)
	if err == nil {
		err = s.Store.SignOutDevice(ctx, person, in.ID)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	s.ended.end(in.ID)
	return nil, nil
}

func (s *server) signOutElsewhere(ctx context.Context, _ *none) (*none, error) {
	person, err := signedIn(ctx)
	if err == nil {
		err = s.Store.SignOutElsewhere(ctx, person, browser(ctx).Token)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

// freeUses returns how many turns are free without a subscription in the request's workspace; nil means any number.
func (s *server) freeUses(ctx context.Context) *int {
	if placeOf(ctx) != (place{}) {
		return s.FirmUses
	}
	return s.FreeUses
}

// payer returns the workspace for which a payment is made: the signed-in person's own, or the firm's.
func payer(ctx context.Context) (uuid.UUID, error) {
	if _, err := signedIn(ctx); err != nil {
		return uuid.Nil, err
	}
	return who(ctx)
}

// signedIn returns the signed-in person's own workspace.
func signedIn(ctx context.Context) (uuid.UUID, error) {
	of := sessionOf(ctx)
	if of == nil || !of.SignedIn {
		return uuid.Nil, refuse("not_signed_in", nil)
	}
	return of.Workspace, nil
}
