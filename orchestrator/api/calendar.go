package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	ical "github.com/arran4/golang-ical"
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// CalendarDay is a date of a notice that belongs in a calendar.
type CalendarDay struct {
	Code  string // identifies this date of the notice, and does not change
	What  string // such as "Reply in FORM DRC-06"
	Date  string // ISO
	Time  string // "15:04" in India; "" for the whole day
	Place string
	Note  string // how the date was found, and what is uncertain about it
}

// alarms are how many days before each date a calendar program reminds of it.
var alarms = []int{7, 3, 1}

// calendar is an iCalendar file (RFC 5545) with the dates of notices. A date keeps its UID, so that a program that
// reads the file again moves the entry instead of adding another one.
type calendar struct {
	*ical.Calendar
	now time.Time
}

func newCalendar(name string, now time.Time) calendar {
	c := ical.NewCalendarFor("Munshi")
	c.SetMethod(ical.MethodPublish)
	c.SetXWRCalName(name)
	c.SetXPublishedTTL("PT6H")
	c.SetRefreshInterval("PT6H", ical.WithValue("DURATION"))
	return calendar{c, now}
}

// add adds the dates of one notice.
func (c calendar) add(conversation, title, url string, days []CalendarDay) {
	seen := map[string]int{}
	for _, d := range days {
		start, err := time.ParseInLocation(time.DateOnly, d.Date, time.UTC)
		if err != nil {
			continue
		}
		uid := d.Code
		if seen[d.Code]++; seen[d.Code] > 1 {
			uid += fmt.Sprintf("-%d", seen[d.Code])
		}
		e := c.AddEvent(uid + "-" + conversation + "@munshi")
		e.SetDtStampTime(c.now)
		if at, err := time.ParseInLocation(time.DateOnly+" 15:04", d.Date+" "+d.Time, clock.India); err == nil {
			e.SetStartAt(at)
			e.SetEndAt(at.Add(time.Hour))
		} else {
			e.SetAllDayStartAt(start)
			e.SetAllDayEndAt(start.AddDate(0, 0, 1))
			e.SetTimeTransparency(ical.TransparencyTransparent)
		}
		summary := d.What
		if title != "" {
			summary += " – " + title
		}
		e.SetSummary(summary)
		note := strings.TrimSpace(d.Note + "\n" + url)
		e.SetDescription(note)
		if url != "" {
			e.SetURL(url)
		}
		if d.Place != "" {
			e.SetLocation(d.Place)
		}
		for _, before := range alarms {
			a := e.AddAlarm()
			a.SetAction(ical.ActionDisplay)
			a.SetTrigger(fmt.Sprintf("-P%dD", before))
			a.SetProperty(ical.ComponentPropertyDescription, summary)
		}
	}
}

func (c calendar) bytes() []byte {
	return []byte(c.Serialize(ical.WithNewLineWindows, ical.WithLineLength(75)))
}

// calendarFile is an HTTP answer with a calendar.
type calendarFile struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Cache       string `header:"Cache-Control"`
	Body        []byte
}

func fileOf(c calendar, name string) *calendarFile {
	return &calendarFile{ContentType: "text/calendar; charset=utf-8",
		Disposition: mime.FormatMediaType("attachment", map[string]string{"filename": name}),
		Cache:       "private, no-cache", Body: c.bytes()}
}

func calendarResponse() map[string]*huma.Response {
	return map[string]*huma.Response{"200": {Description: "An iCalendar file", Content: map[string]*huma.MediaType{
		"text/calendar": {Schema: &huma.Schema{Type: "string"}}}}}
}

func (s *server) calendarRoutes(api huma.API) {
	file := calendarResponse()
	huma.Register(api, huma.Operation{OperationID: "get-notice-calendar", Method: http.MethodGet,
		Path: "/api/conversations/{id}/calendar.ics", Summary: "The dates of a notice, for a calendar program",
		Responses: file}, s.noticeCalendar)
	huma.Register(api, huma.Operation{OperationID: "get-calendar-feed", Method: http.MethodGet,
		Path: "/api/calendars/{file}", Summary: "The days of all open notices, under a secret address that needs no " +
			"session", Responses: file},
		s.calendarFeed)
	get(api, "get-calendar", "/api/calendar", "The address under which calendar programs read the days of all open "+
		"notices", s.calendarAddress)
	post(api, "renew-calendar", "/api/calendar", "Give that address anew; the one before leads nowhere from then on",
		http.StatusOK, s.renewCalendar)
}

// entriesIn returns the language of a calendar's entries: the one in its address, or else the request's. Links and
// calendar programs do not send the language of the screen, so the address names it.
func entriesIn(ctx context.Context, named string) string {
	if named != "" {
		return named
	}
	return answersIn(ctx)
}

type noticeCalendarInput struct {
	ID       uuid.UUID `path:"id" format:"uuid"`
	Language string    `query:"language" enum:"en,hi" doc:"Of the entries; left out for the browser's"`
}

func (s *server) noticeCalendar(ctx context.Context, in *noticeCalendarInput) (*calendarFile, error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	n, err := s.Store.Notice(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	days, err := s.Briefs.Days(n.Facts, entriesIn(ctx, in.Language))
	if err != nil {
		return nil, s.toProblem(err)
	}
	c := newCalendar(n.Title, time.Now())
	c.add(in.ID.String(), n.Title, s.tabURL(placeOf(ctx), noticePlugin, in.ID), days)
	name, err := s.fileOfNotice(ctx, workspace, in.ID, "Dates", ".ics")
	if err != nil {
		return nil, s.toProblem(err)
	}
	return fileOf(c, name), nil
}

// tabURL returns the address of a conversation in its plugin's tab, or "" if the public address is not configured.
func (s *server) tabURL(at place, plugin string, conversation uuid.UUID) string {
	if s.PublicURL == "" {
		return ""
	}
	tab := plugin
	if plugin == noticePlugin {
		tab = "notices"
	}
	return strings.TrimRight(s.PublicURL, "/") + PathOf(at.firm, at != (place{})) + "/app/" + tab + "/" +
		conversation.String()
}

type feedInput struct {
	File     string `path:"file" maxLength:"200" doc:"The secret, followed by .ics"`
	Language string `query:"language" enum:"en,hi" doc:"Of the entries; left out for the browser's"`
}

func (s *server) calendarFeed(ctx context.Context, in *feedInput) (*calendarFile, error) {
	token, ok := strings.CutSuffix(plainText(in.File), ".ics")
	if !ok {
		return nil, notFound()
	}
	of, err := s.Store.CalendarOf(ctx, token)
	if err != nil {
		return nil, s.toProblem(err)
	}
	at := place{}
	if of.Firm {
		at.firm = of.WorkspaceID
	}
	notices, err := s.Store.OpenNotices(ctx, of.WorkspaceID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	c := newCalendar(message.New("calendar.name", nil).In(entriesIn(ctx, in.Language)), time.Now())
	for _, n := range notices {
		days, err := s.Briefs.Days(n.Facts, entriesIn(ctx, in.Language))
		if err != nil {
			return nil, s.toProblem(err)
		}
		c.add(n.ID.String(), n.Title, s.tabURL(at, noticePlugin, n.ID), days)
	}
	return fileOf(c, "notices.ics"), nil
}

// CalendarAddress is the address at which calendar programs read the dates of all open notices.
type CalendarAddress struct {
	Path      *string    `json:"path" doc:"Path from the site's root; null until one is requested. Anyone who knows it can read the dates"`
	RenewedAt *time.Time `json:"renewed_at"`
}

func (s *server) calendarAddress(ctx context.Context, _ *none) (*body[CalendarAddress], error) {
	workspace, err := who(ctx)
	if err != nil {
		return &body[CalendarAddress]{}, nil
	}
	c, err := s.Store.Calendar(ctx, workspace)
	if errors.Is(err, store.ErrNotFound) {
		return &body[CalendarAddress]{}, nil
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return addressOf(c), nil
}

func (s *server) renewCalendar(ctx context.Context, _ *none) (*body[CalendarAddress], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	c, err := s.Store.RenewCalendar(ctx, workspace, strings.ToLower(rand.Text()+rand.Text()))
	if err != nil {
		return nil, s.toProblem(err)
	}
	return addressOf(c), nil
}

func addressOf(c store.Calendar) *body[CalendarAddress] {
	path := "/api/calendars/" + c.Token + ".ics"
	return &body[CalendarAddress]{CalendarAddress{Path: &path, RenewedAt: &c.RenewedAt}}
}
