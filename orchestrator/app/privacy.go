package app

import (
	"time"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/model"
)

// countries says where the providers at these hosts process data, according to their terms of November 2026.
var countries = map[string]string{
	"api.openai.com":                    "the United States of America",
	"api.anthropic.com":                 "the United States of America",
	"generativelanguage.googleapis.com": "the United States of America",
	"api.mistral.ai":                    "France",
}

// dataUse returns what people are told about their data.
func dataUse(cfg config.Config, chain model.Chain) api.DataUse {
	days := func(d time.Duration) int { return int((d + 24*time.Hour - 1) / (24 * time.Hour)) }
	r := cfg.Retention
	use := api.DataUse{Recipients: []api.Recipient{}, Mask: cfg.Privacy.Mask, NoticeURL: cfg.Privacy.NoticeURL,
		Days: api.KeptDays{Visitors: days(r.Visitors), Deleted: days(r.Deleted), Audit: days(r.Audit)}}
	for _, to := range chain.Recipients() {
		country := countries[to.Host]
		if cfg.Privacy.Country != "" {
			country = cfg.Privacy.Country
		}
		use.Recipients = append(use.Recipients,
			api.Recipient{Name: to.Name, Host: to.Host, Country: country, Local: to.Local})
	}
	return use
}
