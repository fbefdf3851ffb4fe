package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// Words writes texts as Word files.
type Words interface {
	// WriteWord writes a Word file. It stops when the context ends.
	WriteWord(ctx context.Context, out io.Writer, f WordFile) error
	// FileName returns the file name for a title.
	FileName(title string) string
}

// WordFile is a text to be written as a Word file.
type WordFile struct {
	Title, Text string // Markdown; a first-level heading at the beginning is the title
	CauseTitle  bool   // it may start with a letterhead: paragraphs above a horizontal rule and the title
	Draft       bool   // whether each page is marked DRAFT
	Marks       []WordMark
}

// WordMark marks words that carry a printed note. Start and End count bytes of the text.
type WordMark struct {
	Start, End int
	Note       string
}

// noticeReply is the title of files with a reply to a notice.
const noticeReply = "GST Notice Reply"

const summaryPlugin = "summary"

// paperNotes are the notes printed beside words that failed a check.
var paperNotes = map[string]string{
	"unknown":          "not found in the Act",
	"not_in_force":     "not in force for this period",
	"not_covered":      "not verified",
	"not_verified":     "not verified",
	"contradicts":      "check: differs from the notice",
	"other_page":       "on another page of the document",
	"not_in_document":  "not found in the document",
	"not_in_notice":    "not found in the notice",
	"elsewhere":        "the words of another provision",
	"other_day":        "the words of another day",
	"differs":          "differs from the text of the law",
	"not_in_text":      "not in the text of the law",
	"not_in_authority": "not in the authority that was supplied",
	"not_held":         "not compared with the text of the law",
}

// marksOf returns marks for the checks of a part that begins at a byte offset of the text.
func marksOf(checks []Check, at int) []WordMark {
	var marks []WordMark
	for _, c := range checks {
		note := paperNotes[c.Verdict]
		switch c.Code {
		case "claim":
			note = "not verified: the model's own words"
		case "view":
			note = "not verified: no source is given"
		case "number":
			note = "check: the law has another number"
		case "admission":
			note = "check: reads as an admission"
		case "secret":
			note = "do not hand this in"
		}
		if note != "" && c.End > c.Start {
			marks = append(marks, WordMark{Start: c.Start + at, End: c.End + at, Note: note})
		}
	}
	return marks
}

// draftText returns the text of a draft, with marks on words that need review.
func (s *server) draftText(ctx context.Context, workspace uuid.UUID,
	d store.Draft) (text string, marks []WordMark, err error) {
	found, err := s.Replies.Check(ctx, workspace, d)
	if err != nil {
		return "", nil, err
	}
	text, at := store.JoinParts(d.Parts)
	for i, p := range d.Parts {
		if at[i] >= 0 {
			marks = append(marks, marksOf(found[p.ID], at[i])...)
		}
	}
	return text, marks, nil
}

func (s *server) wordRoutes(api huma.API) {
	const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	file := map[string]*huma.Response{"200": {Description: "A Word file",
		Content: map[string]*huma.MediaType{docx: {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}}
	send := func(ctx context.Context, f WordFile, name string) (*huma.StreamResponse, error) {
		var b bytes.Buffer
		if err := s.Words.WriteWord(ctx, &b, f); err != nil {
			return nil, s.toProblem(err)
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			hc.SetHeader("Content-Type", docx)
			hc.SetHeader("Content-Disposition",
				mime.FormatMediaType("attachment", map[string]string{"filename": s.Words.FileName(name)}))
			hc.SetHeader("Cache-Control", "private, no-store")
			hc.SetStatus(http.StatusOK)
			defer writeWithin(hc, transferTime)()
			_, _ = hc.BodyWriter().Write(b.Bytes()) // fails if the client has disconnected
		}}, nil
	}
	huma.Register(api, huma.Operation{OperationID: "get-draft-word", Method: http.MethodGet,
		Path: "/api/drafts/{id}/word", Summary: "A draft as a Word file", Responses: file},
		func(ctx context.Context, in *idInput) (*huma.StreamResponse, error) {
			workspace, err := who(ctx)
			if err != nil {
				return nil, s.toProblem(err)
			}
			d, err := s.Store.Draft(ctx, workspace, in.ID)
			if err != nil {
				return nil, s.toProblem(err)
			}
			// In a firm, a draft that is not approved is marked as one.
			_, firm := store.ActingIn(ctx)
			f := WordFile{Title: d.Title, CauseTitle: true, Draft: firm && !d.Approved()}
			if f.Text, f.Marks, err = s.draftText(ctx, workspace, d); err != nil {
				return nil, s.toProblem(err)
			}
			name := d.Title
			switch {
			case d.Kind == store.ReplyKind:
				if name, err = s.replyName(ctx, workspace, d.ConversationID); err != nil {
					return nil, s.toProblem(err)
				}
			case d.ConversationID != nil: // written by AI Drafting
				name = d.Kind + "-draft"
			}
			return send(ctx, f, name)
		})
	huma.Register(api, huma.Operation{OperationID: "get-message-word", Method: http.MethodGet,
		Path: "/api/conversations/{id}/messages/{message}/word", Summary: "A message as a Word file", Responses: file},
		func(ctx context.Context, in *messageID) (*huma.StreamResponse, error) {
			d, m, err := s.messageOf(ctx, in)
			if err != nil {
				return nil, s.toProblem(err)
			}
			f := WordFile{Title: d.Conversation.Title, Text: m.Text}
			switch d.Conversation.Plugin {
			case noticePlugin:
				f.Title = noticeReply
				_, f.Draft = store.ActingIn(ctx) // in a firm; a message is never approved
			case summaryPlugin: // named after its file
				f.Title = withoutPDF(f.Title) + " summary"
			}
			if strings.TrimSpace(f.Title) == "" {
				f.Title = "Munshi"
			}
			var checks []Check
			if len(m.Checks) > 0 && json.Unmarshal(m.Checks, &checks) == nil { // as stored, with positions in bytes
				f.Marks = marksOf(checks, 0)
			}
			name := f.Title
			if d.Conversation.Plugin == noticePlugin {
				if name, err = s.replyName(ctx, d.Conversation.WorkspaceID, &in.ID); err != nil {
					return nil, s.toProblem(err)
				}
			}
			return send(ctx, f, name)
		})
}

// replyName returns the name of a file with a reply to a notice.
func (s *server) replyName(ctx context.Context, workspace uuid.UUID, conversation *uuid.UUID) (string, error) {
	if conversation == nil {
		return noticeReply, nil
	}
	return s.namedByNotice(ctx, workspace, *conversation, noticeReply)
}

// namedByNotice names a file by the client, form and reference of a notice, so that files of different notices can be
// told apart.
func (s *server) namedByNotice(ctx context.Context, workspace, conversation uuid.UUID, what string) (string, error) {
	names, err := s.Store.NoticeNames(ctx, workspace, conversation)
	return strings.Join(append([]string{what}, names...), " "), err
}

// fileOfNotice returns the name of a file about a notice, with its extension.
func (s *server) fileOfNotice(ctx context.Context, workspace, conversation uuid.UUID,
	what, extension string) (string, error) {
	name, err := s.namedByNotice(ctx, workspace, conversation, what)
	return strings.TrimSuffix(s.Words.FileName(name), ".docx") + extension, err
}

// withoutPDF returns the title of a conversation that is named after its file.
func withoutPDF(title string) string {
	if at := len(title) - len(".pdf"); at > 0 && strings.EqualFold(title[at:], ".pdf") {
		return title[:at]
	}
	return title
}

type messageID struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Message uuid.UUID `path:"message" format:"uuid"`
}

// messageOf returns a message with its conversation.
func (s *server) messageOf(ctx context.Context, in *messageID) (store.Detail, store.MessageLine, error) {
	workspace, err := who(ctx)
	if err != nil {
		return store.Detail{}, store.MessageLine{}, err
	}
	d, err := s.Store.Detail(ctx, workspace, in.ID)
	if err != nil {
		return store.Detail{}, store.MessageLine{}, err
	}
	i := slices.IndexFunc(d.Messages, func(m store.MessageLine) bool { return m.ID == in.Message })
	if i < 0 {
		return store.Detail{}, store.MessageLine{}, notFound()
	}
	return d, d.Messages[i], nil
}
