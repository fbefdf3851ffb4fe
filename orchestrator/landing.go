package main

import (
	"cmp"
	"time"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/site"
)

// landing makes the page at /, which says of this installation what is true of it.
func (a *app) landing() (*site.Site, error) {
	l, pay, use := a.cfg.Links, a.cfg.Payment, a.dataUse()
	o := site.Options{
		WebRoot: a.cfg.Server.WebRoot, Texts: l.Texts, PublicURL: a.cfg.Server.PublicURL,
		Product: l.ProductName, ParentName: cmp.Or(l.ParentName, site.Host(l.ParentURL)), ParentURL: l.ParentURL, ConsultationURL: l.ConsultationURL,
		ContactAt: cmp.Or(l.Contact, pay.Support), SellerName: pay.Seller.Name, SellerAddress: pay.Seller.Address, SellerGSTIN: pay.Seller.GSTIN,
		Paid: pay.Provider != "", TestMode: pay.Provider == "sandbox", Price: gst.Rupees(pay.AmountPaise), PeriodDays: int(pay.Period / (24 * time.Hour)), FreeUses: a.cfg.Account.FreeUses,
		NoticeURL: use.NoticeURL, VisitorDays: use.Days.Visitors, DeletedDays: use.Days.Deleted, AuditDays: use.Days.Audit,
		MaxMiB: a.cfg.Reading.MaxBytes >> 20, MaxPages: a.cfg.Reading.MaxPages,
	}
	for _, r := range use.Recipients {
		o.Recipients = append(o.Recipients, site.Recipient{Name: r.Name, Country: r.Country})
	}
	return site.New(o)
}
