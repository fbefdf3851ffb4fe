package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/message"
)

// ListedDate is a row of a table of dates in a message, such as a summary.
type ListedDate struct {
	Number int    `json:"number" doc:"From 1, in the order of the table"`
	Date   string `json:"date" doc:"ISO"`
	What   string `json:"what"`
	Page   int    `json:"page" doc:"Of the document; 0 when the table names none"`
}

// DateList lists the dates of a message.
type DateList struct {
	Dates []ListedDate `json:"dates"`
}

func (s *server) dateRoutes(api huma.API) {
	get(api, "list-message-dates", "/api/conversations/{id}/messages/{message}/dates",
		"The dates that a message lists in a table, such as a summary's", s.messageDates)
	huma.Register(api, huma.Operation{OperationID: "get-message-dates", Method: http.MethodGet,
		Path:    "/api/conversations/{id}/messages/{message}/dates.ics",
		Summary: "These dates, or some of them, for a calendar program", Responses: calendarResponse()},
		s.messageCalendar)
}

func (s *server) messageDates(ctx context.Context, in *messageID) (*body[DateList], error) {
	_, m, err := s.messageOf(ctx, in)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[DateList]{DateList{append([]ListedDate{}, s.Dates(m.Text)...)}}, nil
}

type datesInput struct {
	ID       uuid.UUID `path:"id" format:"uuid"`
	Message  uuid.UUID `path:"message" format:"uuid"`
	Pick     []int     `query:"pick" maxItems:"1000" doc:"The numbers of the chosen ones; left out for all"`
	Language string    `query:"language" enum:"en,hi" doc:"Of the entries; left out for the browser's"`
}

func (s *server) messageCalendar(ctx context.Context, in *datesInput) (*calendarFile, error) {
	d, m, err := s.messageOf(ctx, &messageID{in.ID, in.Message})
	if err != nil {
		return nil, s.toProblem(err)
	}
	var days []CalendarDay
	for _, l := range s.Dates(m.Text) {
		if len(in.Pick) > 0 && !slices.Contains(in.Pick, l.Number) {
			continue
		}
		day := CalendarDay{Code: fmt.Sprintf("date-%d", l.Number), What: l.What, Date: l.Date}
		if l.Page > 0 {
			day.Note = message.New("calendar.page", message.Params{"page": l.Page}).In(entriesIn(ctx, in.Language))
		}
		days = append(days, day)
	}
	c := newCalendar(d.Conversation.Title, time.Now())
	c.add(m.ID.String(), d.Conversation.Title, s.tabURL(placeOf(ctx), d.Conversation.Plugin, in.ID), days)
	return fileOf(c, strings.TrimSuffix(s.Words.FileName("Dates "+withoutPDF(d.Conversation.Title)),
		".docx")+".ics"), nil
}
