package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// Taxpayer holds the details of a GSTIN that every reply needs: who signs, where, and who represents the taxpayer.
type Taxpayer = db.Taxpayer

// PutTaxpayer stores the details of a taxpayer, replacing earlier ones.
func (s *Store) PutTaxpayer(ctx context.Context, t Taxpayer) error {
	err := s.within(ctx, t.WorkspaceID, func(q *db.Queries) error {
		return q.PutTaxpayer(ctx, db.PutTaxpayerParams{WorkspaceID: t.WorkspaceID, Gstin: t.Gstin,
			Signatory: OneLine(t.Signatory), Designation: OneLine(t.Designation), Place: OneLine(t.Place),
			Representative: OneLine(t.Representative), Enrolment: OneLine(t.Enrolment)})
	})
	if err != nil {
		return fmt.Errorf("keep the details of a taxpayer: %w", err)
	}
	return nil
}

// Taxpayer returns the stored details for a GSTIN, empty if there are none.
func (s *Store) Taxpayer(ctx context.Context, workspace uuid.UUID, gstin string) (t Taxpayer, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		t, err = taxpayer(ctx, q, workspace, gstin)
		return err
	})
	if err != nil {
		return Taxpayer{}, fmt.Errorf("read the details of a taxpayer: %w", err)
	}
	return t, nil
}

func taxpayer(ctx context.Context, q *db.Queries, workspace uuid.UUID, gstin string) (Taxpayer, error) {
	kept, err := optional(q.Taxpayer(ctx, db.TaxpayerParams{WorkspaceID: workspace, Gstin: gstin}))
	if err != nil || kept == nil {
		return Taxpayer{}, err
	}
	return *kept, nil
}

// gstinOf returns the GSTIN in the facts, "" if they have none.
func gstinOf(facts []byte) string {
	var known struct {
		GSTIN string `json:"gstin"`
	}
	if json.Unmarshal(facts, &known) != nil {
		return "" // unreadable facts are reported wherever they are used
	}
	return known.GSTIN
}

// Who gave an answer: the person working on the notice, or a client through a link.
const (
	ByOwner  = "owner"
	ByClient = "client"
)

// Answered is the answer to a question about a notice.
type Answered struct {
	Holds   string    `json:"holds,omitempty"`   // "yes" or "no", for a yes/no question
	Words   []string  `json:"words,omitempty"`   // one for each blank in the question
	Unknown bool      `json:"unknown,omitempty"` // the answer is "do not know"
	By      string    `json:"-"`
	At      time.Time `json:"-"`
	// Link is the client's link, or nil if the person working on the notice answered; Recipient is the name the link
	// was made for.
	Link      *uuid.UUID `json:"-"`
	Recipient string     `json:"-"`
}

// Answers returns the answers about a notice, by the key of the question.
func (s *Store) Answers(ctx context.Context, workspace, document uuid.UUID) (said map[string]Answered, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		said, err = answers(ctx, q, document)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what was answered: %w", err)
	}
	return said, nil
}

func answers(ctx context.Context, q *db.Queries, document uuid.UUID) (map[string]Answered, error) {
	rows, err := q.InterviewAnswers(ctx, document)
	if err != nil {
		return nil, err
	}
	said := make(map[string]Answered, len(rows))
	for _, row := range rows {
		a := Answered{By: row.SaidBy, At: row.SaidAt, Link: row.LinkID}
		if row.Recipient != nil {
			a.Recipient = *row.Recipient
		}
		if err := json.Unmarshal(row.Answer, &a); err != nil {
			return nil, fmt.Errorf("decode an answer: %w", err)
		}
		said[row.Key] = a
	}
	return said, nil
}

// SayAnswer stores the answer to a question about the conversation's notice, replacing an earlier one; nil withdraws
// it. ErrNotFound: there is no notice.
func (s *Store) SayAnswer(ctx context.Context, workspace, conversation uuid.UUID, key string, a *Answered) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		c, err := q.LockConversation(ctx, conversation)
		if err != nil {
			return err
		}
		if c.NoticeID == nil {
			return ErrNotFound
		}
		if a == nil {
			err = q.DropInterviewAnswer(ctx, db.DropInterviewAnswerParams{DocumentID: *c.NoticeID, Key: clean(key)})
		} else {
			raw, encoding := json.Marshal(a)
			if encoding != nil {
				return fmt.Errorf("encode an answer: %w", encoding)
			}
			err = q.PutInterviewAnswer(ctx,
				db.PutInterviewAnswerParams{DocumentID: *c.NoticeID, Key: clean(key), WorkspaceID: workspace,
					Answer: cleanJSON(raw), SaidBy: a.By, LinkID: a.Link})
		}
		if err == nil {
			err = linkLog(ctx, q, "link_answered")
		}
		if err != nil {
			return err
		}
		return q.Notify(ctx, conversation)
	})
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}
