package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/mask"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// countries says where providers process what is sent to these hosts, as their terms said in November 2026.
var countries = map[string]string{
	"api.openai.com":                    "the United States of America",
	"api.anthropic.com":                 "the United States of America",
	"generativelanguage.googleapis.com": "the United States of America",
	"api.mistral.ai":                    "France",
}

// dataUse is what people are told of their data.
func (a *app) dataUse() api.DataUse {
	days := func(d time.Duration) int { return int((d + 24*time.Hour - 1) / (24 * time.Hour)) }
	r := a.cfg.Retention
	use := api.DataUse{Recipients: []api.Recipient{}, Mask: a.cfg.Privacy.Mask, NoticeURL: a.cfg.Privacy.NoticeURL,
		Days: api.KeptDays{Visitors: days(r.Visitors), Deleted: days(r.Deleted), Audit: days(r.Audit)}}
	for _, to := range a.models().Recipients() {
		if to.Local {
			continue
		}
		country := countries[to.Host]
		if a.cfg.Privacy.Country != "" {
			country = a.cfg.Privacy.Country
		}
		use.Recipients = append(use.Recipients, api.Recipient{Name: to.Name, Host: to.Host, Country: country})
	}
	return use
}

// masking knows whose names and numbers are masked before a text goes to a provider.
type masking struct {
	store *store.Store
	mode  string // off, on, always; "" where nothing leaves the machine
}

func (a *app) masking() masking {
	m := masking{store: a.store}
	if !a.models().Offline() {
		m.mode = a.cfg.Privacy.Mask
	}
	return m
}

// wanted tells whether it is to be done for a workspace.
func (m masking) wanted(ctx context.Context, workspace string) (bool, error) {
	if m.mode == "" || m.mode == "always" {
		return m.mode == "always", nil
	}
	id, err := uuid.Parse(workspace)
	if err != nil {
		return false, badID(err)
	}
	if id, err = m.store.Owner(ctx, id); err != nil {
		return false, fenced(ctx, m.store, id, err)
	}
	said, err := m.store.Mask(ctx, id)
	if err != nil {
		return false, fenced(ctx, m.store, id, err)
	}
	if said == nil {
		return m.mode == "on", nil
	}
	return *said, nil
}

// private gives the names and numbers that the material of a turn is known to hold, in an order that stays the same while it does:
// those of the facts, read or corrected, and the numbers of its pages.
func private(m workflows.Material) []string {
	type party struct {
		Legal   *string `json:"legal_name"`
		Trade   *string `json:"trade_name"`
		GSTIN   *string `json:"gstin"`
		Officer struct {
			Name *string `json:"name"`
		} `json:"officer"`
	}
	var known struct {
		party
		Corrected map[string]json.RawMessage `json:"corrected"`
	}
	private := []string{} // not nil: something is to be masked
	_ = json.Unmarshal([]byte(m.Facts), &known)
	for _, name := range []*string{known.Legal, known.Trade, known.GSTIN, known.Officer.Name} {
		if name != nil {
			private = append(private, *name)
		}
	}
	for _, field := range []string{"legal_name", "trade_name", "gstin"} {
		var read string
		if json.Unmarshal(known.Corrected[field], &read) == nil && read != "" {
			private = append(private, read)
		}
	}
	for _, pages := range [][]workflows.Page{m.Notice, m.Document} {
		for _, p := range pages {
			private = append(private, mask.Numbers(p.Text)...)
		}
	}
	return private
}
