package api

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Privacy holds a person's choices about their data, and the log of what was done with it.
type Privacy struct {
	Mask      bool       `json:"mask" doc:"Names and numbers are masked before a text goes to a provider"`
	Payments  int        `json:"payments" doc:"Number of payments that the law requires to be kept when everything else is erased"`
	KeptUntil string     `json:"kept_until" doc:"Kept until this ISO date; empty if nothing is kept"`
	Activity  []Activity `json:"activity" doc:"Latest first"`
}

// Activity is an entry of the audit log.
type Activity struct {
	At    time.Time `json:"at"`
	Event string    `json:"event" doc:"Such as signed_in, exported, erasure_begun, questions_seen"`
}

// Erasure is the progress of an erasure.
type Erasure struct {
	ID        string     `json:"id" format:"uuid" doc:"Used to ask whether it has ended"`
	Done      bool       `json:"done"`
	BegunAt   time.Time  `json:"begun_at"`
	DoneAt    *time.Time `json:"done_at"`
	Payments  int        `json:"payments" doc:"Number of payments kept, without anything that identifies the person"`
	KeptUntil string     `json:"kept_until" doc:"Kept until this ISO date; empty if nothing is kept"`
}

// activityShown is how many entries of the audit log the page shows; the export has all.
const activityShown = 50

// activityExported is how many entries of the log are exported at most; no workspace has that many.
const activityExported = 100_000

// eraseWord is what a visitor types to confirm an erasure, since they have no password.
const eraseWord = "erase"

// perExport limits how often someone may export all their data.
var perExport = store.Rate{Every: time.Minute, Burst: 1}

func (s *server) rightsRoutes(api huma.API) {
	get(api, "get-privacy", "/api/privacy", "What someone has said of their data, and what was done with it", s.privacy)
	post(api, "set-privacy", "/api/privacy", "Say whether names and numbers are masked", http.StatusOK, s.setPrivacy)
	post(api, "erase", "/api/erase", "Erase everything that is kept of whoever asks", http.StatusAccepted, s.erase)
	get(api, "get-erasure", "/api/erasures/{id}", "How far an erasure is", s.erasure)
	zipped := map[string]*huma.Response{"200": {Description: "A ZIP",
		Content: map[string]*huma.MediaType{"application/zip": {Schema: &huma.Schema{Type: "string",
			Format: "binary"}}}}}
	huma.Register(api, huma.Operation{OperationID: "export", Method: http.MethodGet, Path: "/api/export",
		Summary: "Everything stored about the caller", Responses: zipped}, s.export)
}

func (s *server) privacy(ctx context.Context, _ *none) (*body[Privacy], error) {
	p := Privacy{Mask: s.Config.Privacy.Mask != "off", Activity: []Activity{}}
	workspace, err := who(ctx)
	if err != nil {
		return &body[Privacy]{p}, nil
	}
	said, err := s.Store.Mask(ctx, workspace)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if said != nil && s.Config.Privacy.Mask != "always" {
		p.Mask = *said
	}
	if p.Payments, p.KeptUntil, err = s.kept(ctx, workspace); err != nil {
		return nil, s.toProblem(err)
	}
	entries, err := s.Store.AuditOf(ctx, workspace, activityShown)
	if err != nil {
		return nil, s.toProblem(err)
	}
	for _, e := range entries {
		p.Activity = append(p.Activity, Activity{At: e.At, Event: e.Event})
	}
	return &body[Privacy]{p}, nil
}

// kept returns how many payment records remain when everything else is erased, and until when.
func (s *server) kept(ctx context.Context, workspace uuid.UUID) (payments int, until string, err error) {
	payments, latest, err := s.Store.PaymentsOf(ctx, workspace)
	if err == nil && payments > 0 {
		until = s.RecordsKept(latest)
	}
	return payments, until, err
}

type privacyInput struct {
	Body struct {
		Mask bool `json:"mask"`
	}
}

type privacyOutput struct {
	SetCookie string `header:"Set-Cookie" doc:"The session, if this is the first thing that a visitor stores here"`
	Body      Privacy
}

func (s *server) setPrivacy(ctx context.Context, in *privacyInput) (*privacyOutput, error) {
	if s.Config.Privacy.Mask == "always" && !in.Body.Mask {
		return nil, refuse("mask_always", nil)
	}
	workspace, cookie, err := s.welcome(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.Store.SetMask(ctx, workspace, in.Body.Mask); err != nil {
		return nil, s.toProblem(err)
	}
	if cookie != "" { // a new visitor, about whom nothing is stored yet
		return &privacyOutput{SetCookie: cookie, Body: Privacy{Mask: in.Body.Mask, Activity: []Activity{}}}, nil
	}
	now, err := s.privacy(ctx, nil)
	if err != nil {
		return nil, err
	}
	return &privacyOutput{Body: now.Body}, nil
}

type eraseInput struct {
	Body struct {
		Password string `json:"password,omitempty" maxLength:"4000" doc:"Of the account"`
		Word     string `json:"word,omitempty" maxLength:"100" doc:"Of a visitor, who has no password: erase"`
	}
}

type eraseOutput struct {
	SetCookie []string `header:"Set-Cookie" doc:"Removes the session, and the cookie that identified the browser"`
	Body      Erasure
}

func (s *server) erase(ctx context.Context, in *eraseInput) (*eraseOutput, error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, refuse("nothing_kept", nil)
	}
	of := sessionOf(ctx)
	own := workspace == of.Workspace // their own workspace, not a firm's
	switch {
	case of.SignedIn:
		err = s.Accounts.Knows(ctx, of.Workspace, in.Body.Password, browser(ctx))
	case !strings.EqualFold(strings.TrimSpace(in.Body.Word), eraseWord):
		err = refuse("word_needed", problem.Params{"word": eraseWord})
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	payments, until, err := s.kept(ctx, workspace)
	if err != nil {
		return nil, s.toProblem(err)
	}
	e, err := s.Store.BeginErasure(ctx, workspace, payments, until)
	if owns := (*store.OwnsFirms)(nil); errors.As(err, &owns) {
		err = refuse("owner_of_firm", problem.Params{"firms": strings.Join(owns.Firms, ", ")})
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	if of.SignedIn && own {
		if err := s.Accounts.Forget(ctx, of.Email); err != nil {
			s.Log.WarnContext(ctx, "how often a password was tried is forgotten only by and by", "error", err)
		}
	}
	if err := s.Work.StartErasure(ctx, workspace.String()); err != nil {
		s.Log.WarnContext(ctx, "an erasure could not be started at once; the reconciler starts it", "error", err)
	}
	if !own {
		return &eraseOutput{Body: erasureOf(e)}, nil
	}
	return &eraseOutput{SetCookie: []string{s.cookie(""), s.cookieOf(knownCookieName(s.Secure), "")},
		Body: erasureOf(e)}, nil
}

func erasureOf(e store.Erasure) Erasure {
	return Erasure{
		ID:        e.ID.String(),
		Done:      e.DoneAt != nil,
		BegunAt:   e.BegunAt,
		DoneAt:    e.DoneAt,
		Payments:  int(e.Payments),
		KeptUntil: e.KeptUntil,
	}
}

func (s *server) erasure(ctx context.Context, in *idInput) (*body[Erasure], error) {
	e, err := s.Store.Erasure(ctx, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Erasure]{erasureOf(e)}, nil
}

func (s *server) export(ctx context.Context, _ *none) (*huma.StreamResponse, error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, refuse("nothing_kept", nil)
	}
	wait, err := s.Store.Throttle(ctx, "export|"+workspace.String(), perExport)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if wait > 0 {
		return nil, refuse("export_again", problem.Params{"after": wait})
	}
	if err := s.Store.Note(ctx, &workspace, "exported", nil); err != nil {
		return nil, s.toProblem(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "application/zip")
		hc.SetHeader("Content-Disposition",
			mime.FormatMediaType("attachment",
				map[string]string{"filename": "munshi-" + time.Now().Format(time.DateOnly) + ".zip"}))
		hc.SetHeader("Cache-Control", "private, no-store")
		hc.SetStatus(http.StatusOK)
		x := export{
			server:    s,
			workspace: workspace,
			zip:       zip.NewWriter(hc.BodyWriter()),
			patient:   func() func() { return writeWithin(hc, transferTime) },
		}
		if err := x.write(ctx); err != nil {
			if ctx.Err() == nil {
				s.Log.WarnContext(ctx, "an export was broken off", "error", err)
			}
			panic(http.ErrAbortHandler) // so that a partial file is not taken for a complete one
		}
	}}, nil
}

// export is a ZIP file with everything stored about someone, while it is being written.
type export struct {
	*server
	workspace uuid.UUID
	zip       *zip.Writer
	patient   func() func() // gives the client time to receive the next file
	at        time.Time
	count     int // number of files so far, for unique names
}

// file starts a file in the ZIP; packed content, which is already compressed, is stored as it is.
func (x *export) file(name string, packed bool) (io.Writer, error) {
	x.patient()
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: x.at}
	if packed {
		h.Method = zip.Store
	}
	w, err := x.zip.CreateHeader(h)
	if err != nil {
		return nil, fmt.Errorf("begin the file %s: %w", name, err)
	}
	return w, nil
}

func (x *export) text(name, text string) error {
	w, err := x.file(name, false)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("write a text: %w", err)
	}
	return nil
}

func (x *export) json(name string, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return x.text(name, string(raw)+"\n")
}

func (x *export) write(ctx context.Context) error {
	defer x.patient()()
	x.at = time.Now()
	if err := x.text("README.txt", exportReadme); err != nil {
		return err
	}
	conversations, drafts, err := x.tables(ctx)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		x.account,
		func(ctx context.Context) error { return each(ctx, conversations, x.conversation) },
		func(ctx context.Context) error { return each(ctx, drafts, x.draft) },
		x.documents,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := x.zip.Close(); err != nil {
		return fmt.Errorf("end the ZIP: %w", err)
	}
	return nil
}

// each calls do for each id. It skips ids that are not found, because they were deleted: their rows are in the
// exported tables.
func each(ctx context.Context, ids []uuid.UUID, do func(context.Context, uuid.UUID) error) error {
	for _, id := range ids {
		if err := do(ctx, id); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

// tables writes every stored row, and returns the ids of conversations and drafts.
func (x *export) tables(ctx context.Context) (conversations, drafts []uuid.UUID, err error) {
	ids := map[string]*[]uuid.UUID{"conversations": &conversations, "drafts": &drafts}
	var w io.Writer
	rows := 0
	end := func() error {
		if w == nil {
			return nil
		}
		last := "\n]\n"
		if rows == 0 {
			last = "[]\n"
		}
		_, err := io.WriteString(w, last)
		return err
	}
	err = x.Store.Exported(ctx, x.workspace, func(table string) (func(json.RawMessage) error, error) {
		err := end()
		if err == nil {
			w, err = x.file("rows/"+table+".json", false)
		}
		if err != nil {
			return nil, err
		}
		before := "[\n"
		rows = 0
		return func(row json.RawMessage) error {
			if list := ids[table]; list != nil {
				var of struct{ ID uuid.UUID }
				if err := json.Unmarshal(row, &of); err != nil {
					return fmt.Errorf("read the id of a row: %w", err)
				}
				*list = append(*list, of.ID)
			}
			_, err := io.WriteString(w, before+string(row))
			before = ",\n"
			rows++
			return err
		}, nil
	})
	if err == nil {
		err = end()
	}
	return conversations, drafts, err
}

func (x *export) account(ctx context.Context) error {
	p, err := x.Store.Person(ctx, x.workspace)
	if err == nil {
		devices, derr := x.Store.Devices(ctx, x.workspace)
		if derr != nil {
			return derr
		}
		type device struct {
			Name   string    `json:"name"`
			Since  time.Time `json:"since"`
			SeenAt time.Time `json:"seen_at"`
		}
		list := []device{}
		for _, d := range devices {
			list = append(list, device{d.Device, d.CreatedAt, d.SeenAt})
		}
		firms, ferr := x.Store.FirmsOf(ctx, x.workspace)
		if ferr != nil {
			return ferr
		}
		worksIn := []map[string]string{}
		for _, f := range firms {
			worksIn = append(worksIn, map[string]string{"name": f.Name, "role": f.Role})
		}
		err = x.json("account.json", map[string]any{"email": p.Email, "created_at": p.CreatedAt,
			"confirmed_at": p.ConfirmedAt, "operator_since": p.OperatorSince, "agreed_to_notice": p.Consent,
			"agreed_at": p.ConsentedAt, "devices": list, "firms": worksIn})
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) { // visitors have none
		return err
	}
	entries, err := x.Store.AuditOf(ctx, x.workspace, activityExported)
	if err != nil {
		return err
	}
	type entry struct {
		At     time.Time       `json:"at"`
		Event  string          `json:"event"`
		Detail json.RawMessage `json:"detail"`
	}
	list := []entry{}
	for _, e := range entries {
		list = append(list, entry{e.At, e.Event, e.Detail})
	}
	said, err := x.Store.Mask(ctx, x.workspace)
	if err != nil {
		return err
	}
	if err := x.json("settings.json", map[string]any{"mask": said}); err != nil {
		return err
	}
	return x.json("activity.json", list)
}

func (x *export) conversation(ctx context.Context, id uuid.UUID) error {
	d, err := x.Store.Detail(ctx, x.workspace, id)
	if err != nil {
		return err
	}
	var b strings.Builder
	var notes footnotes
	fmt.Fprintf(&b, "# %s\n", d.Conversation.Title)
	for _, m := range d.Messages {
		by := "You"
		if m.Role != "user" {
			by = "Munshi"
		}
		var checks []Check
		if len(m.Checks) > 0 {
			_ = json.Unmarshal(m.Checks, &checks) // if unreadable, the text is exported without marks
		}
		fmt.Fprintf(&b, "\n## %s, %s\n\n%s\n", by, m.CreatedAt.In(clock.India).Format("2 January 2006, 15:04 MST"),
			notes.in(m.Text, marksOf(checks, 0)))
	}
	return x.text(x.name("conversations", d.Conversation.Title, ".md"), b.String()+notes.below())
}

func (x *export) draft(ctx context.Context, id uuid.UUID) error {
	d, err := x.Store.Draft(ctx, x.workspace, id)
	if err != nil {
		return err
	}
	text, marks, err := x.draftText(ctx, x.workspace, d)
	if err != nil {
		return err
	}
	var notes footnotes
	return x.text(x.name("drafts", d.Title, ".md"), notes.in(text, marks)+"\n"+notes.below())
}

// footnotes collects the notes on marked words, so that none is lost in the exported Markdown.
type footnotes []string

// in returns the text with a number after each marked word, and collects the notes.
func (f *footnotes) in(text string, marks []WordMark) string {
	marks = slices.DeleteFunc(slices.Clone(marks), func(m WordMark) bool { return m.Start < 0 || m.End > len(text) })
	slices.SortStableFunc(marks, func(a, b WordMark) int { return cmp.Compare(a.End, b.End) })
	var b strings.Builder
	at := 0
	for _, m := range marks {
		*f = append(*f, strings.Join(strings.Fields(text[m.Start:m.End]), " ")+": "+m.Note)
		fmt.Fprintf(&b, "%s[^%d]", text[at:m.End], len(*f))
		at = m.End
	}
	return b.String() + text[at:]
}

// below returns the notes, for the end of the file.
func (f footnotes) below() string {
	var b strings.Builder
	for i, note := range f {
		fmt.Fprintf(&b, "\n[^%d]: %s\n", i+1, note)
	}
	return b.String()
}

func (x *export) documents(ctx context.Context) error {
	for after := uuid.Nil; ; {
		documents, err := x.Store.DocumentsAfter(ctx, x.workspace, after)
		if err != nil {
			return err
		}
		if len(documents) == 0 {
			return nil
		}
		for _, d := range documents {
			ending := ".pdf"
			if own := strings.ToLower(filepath.Ext(d.Name)); d.Pages == 0 && slices.Contains(dataEndings, own) {
				ending = own
			}
			w, err := x.file(x.name("documents", strings.TrimSuffix(d.Name, ending), ending), true)
			if err == nil {
				err = x.Store.WriteDocument(ctx, x.workspace, d, w)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) { // not found: it was deleted just now
				return err
			}
			after = d.ID
		}
	}
}

// longestName is how many letters of a title are used in a file name.
const longestName = 80

// name returns a file name that is valid on every system and not yet used.
func (x *export) name(folder, title, ending string) string {
	x.count++
	plain := strings.Map(func(r rune) rune {
		if r == utf8.RuneError ||
			!unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) &&
				!strings.ContainsRune("-_.,() ", r) {
			return ' '
		}
		return r
	}, title)
	plain = strings.Join(strings.Fields(plain), " ")
	if letters := []rune(plain); len(letters) > longestName {
		plain = string(letters[:longestName])
	}
	return strings.TrimRight(fmt.Sprintf("%s/%03d %s", folder, x.count, strings.Trim(plain, ". ")), " ") + ending
}

const exportReadme = `This is everything that Munshi keeps of you.

conversations/   each conversation, as text (Markdown)
drafts/          each draft as it is now, as text (Markdown)
documents/       the PDFs, as you uploaded them
account.json     your account, where you are signed in and in which firms you work; not there if you have none. Your
                 password is kept only as a hash, which is not in here
settings.json    what you have set
activity.json    what the audit log has of you: sign-ins, exports, whether an operator looked at what was asked
rows/            every row of the database that is yours, as it is kept, table by table (JSON): among them what was read
                 of each page, the facts of notices, your corrections, all versions of drafts, what you deleted less
                 than a month ago, your uses, and payments if you made any

Not in here, since it is made from the above: how words are laid out on the pages, and an index of words for searching.
`
