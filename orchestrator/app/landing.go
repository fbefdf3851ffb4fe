package app

import (
	"cmp"
	"time"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/site"
)

// landingPage returns the site at /, with the facts of this installation.
func landingPage(cfg config.Config, use api.DataUse) (*site.Site, error) {
	l, pay := cfg.Links, cfg.Payment
	o := site.Options{
		WebRoot: cfg.Server.WebRoot, Texts: l.Texts, PublicURL: cfg.Server.PublicURL,
		Product: l.ProductName, ParentName: cmp.Or(l.ParentName, site.Host(l.ParentURL)), ParentURL: l.ParentURL,
		ConsultationURL: l.ConsultationURL,
		ContactAt: cmp.Or(
			l.Contact,
			pay.Support,
		), SellerName: pay.Seller.Name, SellerAddress: pay.Seller.Address, SellerGSTIN: pay.Seller.GSTIN,
		Paid: pay.Sold(), TestMode: pay.Provider == "sandbox", Price: gst.Rupees(pay.AmountPaise),
		PeriodDays: int(pay.Period / (24 * time.Hour)), NoticeURL: use.NoticeURL, VisitorDays: use.Days.Visitors,
		DeletedDays: use.Days.Deleted,
		AuditDays:   use.Days.Audit,
		MaxMiB:      cfg.Reading.MaxBytes >> 20, MaxPages: cfg.Reading.MaxPages,
	}
	if uses := cfg.FreeUses(); uses != nil {
		o.Limited, o.FreeUses = true, *uses
	}
	for _, r := range use.Recipients {
		o.Recipients = append(o.Recipients,
			site.Recipient{Name: cmp.Or(r.Name, r.Host), Country: r.Country, Local: r.Local})
	}
	return site.New(o)
}
