package api

import "context"

// WrittenDraft is a draft that a turn wrote.
type WrittenDraft struct {
	ID     string `json:"id" format:"uuid"`
	TurnID string `json:"turn_id" format:"uuid"`
	Kind   string `json:"kind" doc:"What sort of document it is"`
	Title  string `json:"title"`
}

// WrittenDraftList is the drafts that a conversation's turns wrote.
type WrittenDraftList struct {
	Drafts []WrittenDraft `json:"drafts" doc:"Latest first"`
}

func (s *server) writtenDrafts(ctx context.Context, in *idInput) (*body[WrittenDraftList], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	rows, err := s.Store.WrittenDrafts(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := WrittenDraftList{Drafts: []WrittenDraft{}}
	for _, r := range rows {
		list.Drafts = append(list.Drafts, WrittenDraft{ID: r.ID.String(), TurnID: r.TurnID.String(), Kind: r.Kind, Title: r.Title})
	}
	return &body[WrittenDraftList]{list}, nil
}
