// Package billing handles money: payments for Premium and their receipts, how long payment records are kept, and the
// daily limits on what models may cost. It calls the payment provider through package payment and stores everything in
// the store.
package billing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/account"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/message"
	"munshi/orchestrator/payment"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Service combines the payment provider, the store and the workflows.
type Service struct{ Options }

// Options are what the billing service needs.
type Options struct {
	Settings
	Store    *store.Store
	Provider payment.Provider // nil: nobody can pay here
	Work     Work
	Mail     account.Mailer // nil: no mail is sent
	Product  string
	URL      string // the public address; "" if unknown
	Log      *slog.Logger
}

// Settings say what is sold, for how much, and by whom. Amounts are in paise.
type Settings struct {
	Provider                              string // razorpay, sandbox or ""
	KeyID, KeySecret, WebhookSecret       string
	Checkout                              string // the address of the checkout script; "" for Razorpay's own
	AmountPaise                           int64
	SeatPaise                             int64 // price for each member of a firm
	Currency, Price, Description, Support string
	DescriptionHindi                      string        // "" for none
	PeriodLength                          time.Duration // how long the period is that one payment buys
	ReconcileAfter                        time.Duration // when an order is reconciled, counted from its creation
	Seller                                Seller
}

// Seller is the seller named on receipts; with a GSTIN, receipts are tax invoices.
type Seller struct {
	Name, Address, GSTIN, SAC string
	TaxRate                   float64 // per cent
}

// AskAgain is how often the provider is asked about a payment during its paid period.
const AskAgain = 24 * time.Hour

// Work starts the workflows that watch orders and paid periods.
type Work interface {
	WatchOrder(ctx context.Context, in workflows.OrderInput) error
	AskAboutOrder(ctx context.Context, in workflows.OrderInput) error
	WatchSubscription(ctx context.Context, in workflows.SubscriptionInput) error
}

var (
	_ api.Payments       = Service{}
	_ workflows.Payments = Service{}
)

// razorpayScript is the address of Razorpay's checkout script.
const razorpayScript = "https://checkout.razorpay.com/v1/checkout.js"

// Offer returns what the web app needs to sell Premium.
func (s Service) Offer() api.PaymentOffer {
	o := api.PaymentOffer{
		Provider:         s.Settings.Provider,
		AmountPaise:      s.AmountPaise,
		Currency:         s.Currency,
		Price:            s.Price,
		Description:      s.Description,
		DescriptionHindi: s.DescriptionHindi,
		Support:          s.Support,
		SeatPaise:        s.SeatPaise,
		Places:           []api.Place{},
	}
	if s.Settings.Provider == "razorpay" {
		o.KeyID, o.Checkout = s.KeyID, razorpayScript
		if s.Checkout != "" {
			o.Checkout = s.Checkout
		}
	}
	if s.Seller.GSTIN != "" {
		for _, p := range payment.Places {
			o.Places = append(o.Places, api.Place(p))
		}
	}
	return o
}

// keySecret returns the secret with which the checkout's result is signed.
func (s Service) keySecret() string {
	if s.Settings.Provider == "sandbox" {
		return payment.SandboxSecret
	}
	return s.KeySecret
}

// orders limits how many orders a person may start.
var orders = store.Rate{Every: time.Minute, Burst: 10}

// Start creates an order at the provider, stores it, and starts watching it.
func (s Service) Start(ctx context.Context, p api.Purchase) (string, error) {
	if s.Provider == nil {
		return "", problem.New("payments_off", nil, nil)
	}
	place, paise := p.Place, s.AmountPaise
	if p.Seats > 0 {
		paise = s.SeatPaise * int64(p.Seats)
	}
	if s.Seller.GSTIN == "" {
		place = ""
	} else if payment.PlaceName(place) == "" {
		return "", problem.New("place_needed", nil, nil)
	}
	wait, err := s.Store.Throttle(ctx, "orders "+p.Workspace.String(), orders)
	if err != nil {
		return "", err
	}
	if wait > 0 {
		return "", problem.New("too_many_tries.payments", problem.Params{"after": wait}, nil)
	}
	order, err := s.Provider.Order(ctx, paise, s.Currency, uuid.NewString())
	if err != nil {
		s.Log.ErrorContext(ctx, "no order could be made", "error", err)
		return "", problem.New("provider_away", nil, nil)
	}
	n := store.NewPayment{
		Order:     order,
		Provider:  s.Settings.Provider,
		Workspace: p.Workspace,
		Paise:     paise,
		Currency:  s.Currency,
		State:     place,
		Seats:     p.Seats,
	}
	if err := s.Store.StartPayment(ctx, n); err != nil {
		return "", err
	}
	if err := s.Work.WatchOrder(ctx, s.watched(order, time.Now())); err != nil {
		s.Log.WarnContext(ctx, "an order is not watched yet; the reconciler will see to it", "order", order, "error",
			err)
	}
	return order, nil
}

func (s Service) watched(order string, created time.Time) workflows.OrderInput {
	return workflows.OrderInput{Order: order, Created: created, After: s.ReconcileAfter}
}

// Verify checks the signature of the checkout's success message, and then asks the provider about the payment. If the
// provider does not confirm it now, a workflow asks again until it does.
func (s Service) Verify(ctx context.Context, workspace uuid.UUID, order, paid, signature string) error {
	p, err := s.Store.Payment(ctx, workspace, order)
	if errors.Is(err, store.ErrNotFound) {
		s.suspect(ctx, &workspace, "order", map[string]any{"order": order})
		return err
	}
	if err != nil {
		return err
	}
	if err := payment.VerifyCheckout(order, paid, signature, s.keySecret()); err != nil {
		s.suspect(ctx, &workspace, "signature", map[string]any{"order": order})
		return problem.New("bad_signature", nil, nil)
	}
	if s.Settings.Provider == "sandbox" && p.Provider == "sandbox" {
		return s.settle(
			ctx,
			store.Charge{Order: order, Payment: paid, State: store.Paid, Paise: p.AmountPaise, Currency: p.Currency},
		)
	}
	look, cancel := context.WithTimeout(ctx, verifyTime)
	defer cancel()
	known, err := s.ask(look, order, paid)
	if err != nil || !known {
		var refused *problem.Error
		if errors.As(err, &refused) {
			if now, lerr := s.Store.Payment(ctx, workspace, order); lerr == nil && settled(now.State) {
				return nil // paid twice: the other payment counts, and the provider refunds this one
			}
			return err
		}
		s.Log.WarnContext(
			ctx,
			"the provider does not confirm a payment yet; it is asked again",
			"order",
			order,
			"error",
			err,
		)
		if err := s.Work.AskAboutOrder(ctx, s.watched(order, p.CreatedAt)); err != nil {
			s.Log.WarnContext(ctx, "nor could that be begun; the watch of the order will", "order", order, "error", err)
		}
	}
	return nil
}

// verifyTime is how long a person's browser waits for the provider's confirmation.
const verifyTime = 3 * time.Second

// ask asks the provider for the state of an order, and settles it. known reports whether the provider has the given
// payment or, if none is given, any payment of the order.
func (s Service) ask(ctx context.Context, order, paid string) (known bool, err error) {
	if s.Provider == nil {
		return false, problem.New("payments_off", nil, nil)
	}
	list, err := s.Provider.Payments(ctx, order)
	if err != nil {
		return false, err
	}
	var odd error
	for _, p := range list {
		err := s.settle(ctx, charge(p))
		var refused *problem.Error
		switch {
		case errors.As(err, &refused):
			odd = err // another payment of the order may match
		case err != nil:
			return known, err
		}
		known = known || p.ID == paid
	}
	return known, odd
}

func charge(p payment.Payment) store.Charge {
	return store.Charge{
		Order:    p.Order,
		Payment:  p.ID,
		State:    string(p.State),
		Paise:    p.Paise,
		Currency: p.Currency,
		Refunded: p.Refunded,
	}
}

// settle applies the provider's answer, records a mismatch, and starts watching a period that has changed.
func (s Service) settle(ctx context.Context, what store.Charge) error {
	done, err := s.Store.Settle(ctx, what, store.Sale{Period: s.PeriodLength, Receipt: s.receipt})
	var refused *store.Refused
	if errors.As(err, &refused) {
		if refused.Why == "unknown_order" && what.Event != "" {
			return nil // about something else sold with the same account
		}
		s.suspect(ctx, refused.Workspace, refused.Why, map[string]any{"order": what.Order, "payment": what.Payment})
		return problem.New("payment_refused", nil, nil)
	}
	if err != nil {
		return err
	}
	if done.Changed {
		if err := s.Work.WatchSubscription(ctx,
			workflows.SubscriptionInput{Workspace: done.Workspace.String()}); err != nil {
			s.Log.WarnContext(ctx, "a period is not watched yet; the reconciler will see to it", "error", err)
		}
	}
	return nil
}

// suspicions limits how many suspicious events are stored; the rest go only to the log.
var suspicions = store.Rate{Every: 10 * time.Second, Burst: 300}

// suspect records a refused payment.
func (s Service) suspect(ctx context.Context, person *uuid.UUID, why string, detail map[string]any) {
	detail["why"] = why
	s.Log.WarnContext(ctx, "a payment was refused", "why", why)
	wait, err := s.Store.Throttle(ctx, "refused payments", suspicions)
	if err == nil && wait == 0 {
		err = s.Store.Note(ctx, person, "payment_refused", detail)
	}
	if err != nil {
		s.Log.ErrorContext(ctx, "a refused payment could not be noted", "error", err)
	}
}

// Hear handles a webhook. A genuine one that does not match is recorded and accepted, since sending it again would
// change nothing.
func (s Service) Hear(ctx context.Context, body []byte, signature, event string) error {
	if s.Provider == nil {
		return problem.New("payments_off", nil, nil)
	}
	if err := payment.VerifyWebhook(body, signature, s.WebhookSecret); err != nil {
		s.suspect(ctx, nil, "webhook_signature", map[string]any{})
		return problem.New("bad_signature", nil, nil)
	}
	e, err := payment.ReadEvent(body)
	if errors.Is(err, payment.ErrIgnored) {
		return nil
	}
	if err != nil {
		s.suspect(ctx, nil, "webhook_body", map[string]any{})
		return nil
	}
	what := charge(e.Payment)
	if what.Event, what.Kind = event, e.Kind; event == "" {
		what.Event = payment.Sign(string(body), "event") // the same body is the same event
	}
	var refused *problem.Error
	if err := s.settle(ctx, what); err != nil && !errors.As(err, &refused) {
		return err
	}
	return nil
}

// Sandbox pays an order in the sandbox. ErrNotFound: this is not the sandbox.
func (s Service) Sandbox(ctx context.Context, workspace uuid.UUID, order string) (string, string, error) {
	sandbox, chosen := s.Provider.(payment.Sandbox)
	if !chosen {
		return "", "", store.ErrNotFound
	}
	p, err := s.Store.Payment(ctx, workspace, order)
	if err != nil {
		return "", "", err
	}
	if p.Provider != "sandbox" {
		return "", "", store.ErrNotFound
	}
	paid, signature := sandbox.Pay(order)
	return paid, signature, nil
}

// receipt returns the content of a receipt. If the seller has a GSTIN, it is a tax invoice, with the State that the
// person named as the place of supply: rule 46 requires this for online services to unregistered persons, whatever the
// value (Circular 242/36/2024).
func (s Service) receipt(paise int64, place string) (string, json.RawMessage, error) {
	seller := s.Seller
	words := api.ReceiptWords{
		Seller:           seller.Name,
		Address:          seller.Address,
		Description:      s.Description,
		DescriptionHindi: s.DescriptionHindi,
		TotalPaise:       paise,
		Test:             s.Settings.Provider == "sandbox",
	}
	if words.Seller == "" {
		words.Seller = s.Product
	}
	letters := "R"
	switch {
	case words.Test:
		letters = "TEST"
	case seller.GSTIN != "":
		letters = "INV"
		own := seller.GSTIN[:2]
		tax := payment.Divide(paise, int64(math.Round(seller.TaxRate*100)), place == own)
		words.Invoice, words.GSTIN, words.SAC, words.Rate = true, seller.GSTIN, seller.SAC, seller.TaxRate
		words.SellerPlace, words.Place, words.PlaceCode = payment.PlaceName(own), payment.PlaceName(place), place
		words.TaxablePaise, words.CGSTPaise, words.SGSTPaise, words.IGSTPaise = tax.Taxable, tax.CGST, tax.SGST, tax.IGST
	}
	raw, err := json.Marshal(words)
	return letters, raw, err
}

// Reconcile asks the provider for the state of an order, and reports whether to ask again later.
func (s Service) Reconcile(ctx context.Context, order string) (bool, error) {
	p, err := s.Store.OpenOrder(ctx, order)
	if err != nil {
		return false, erased(err)
	}
	if settled(p.State) {
		if p.PaidAt != nil && time.Since(*p.PaidAt) >= AskAgain { // a refund may not have been reported
			if _, err := s.ask(ctx, order, ""); err != nil {
				s.Log.WarnContext(
					ctx,
					"the provider could not be asked whether a payment was given back",
					"order",
					order,
					"error",
					err,
				)
			}
		}
		return false, nil
	}
	var refused *problem.Error
	// otherwise it was created under other settings, and we cannot ask its provider
	if p.Provider == s.Settings.Provider {
		if _, err := s.ask(ctx, order, ""); err != nil && !errors.As(err, &refused) {
			return true, err
		}
		if p, err = s.Store.OpenOrder(ctx, order); err != nil {
			return false, erased(err)
		}
	}
	if p.State == "created" || p.State == store.Failed {
		if err := s.Store.EndPending(ctx, p.WorkspaceID, order); err != nil { // the checkout is no longer open
			return true, err
		}
	}
	return !settled(p.State), nil
}

func settled(state string) bool {
	return state != "created" && state != store.Attempted && state != store.Failed
}

// erased converts "not found" into workflows.ErrSuperseded: the row was erased.
func erased(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%w: %w", workflows.ErrSuperseded, err)
	}
	return err
}

// CloseOrder closes an unpaid order.
func (s Service) CloseOrder(ctx context.Context, order string) error {
	return erased(s.Store.CloseOrder(ctx, order))
}

// Period returns up to when a workspace has paid.
func (s Service) Period(ctx context.Context, workspace string) (workflows.PaidPeriod, error) {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return workflows.PaidPeriod{}, activities.BadID(err)
	}
	p, err := s.Store.Period(ctx, id)
	if err != nil {
		return workflows.PaidPeriod{}, erased(err)
	}
	if p.Status != "active" || p.CurrentPeriodEnd == nil {
		return workflows.PaidPeriod{}, nil
	}
	return workflows.PaidPeriod{Active: true, End: *p.CurrentPeriodEnd, Reminded: p.Reminded}, nil
}

// EndPeriod ends a period whose end is at or before the given time.
func (s Service) EndPeriod(ctx context.Context, workspace string, end time.Time) error {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return activities.BadID(err)
	}
	_, err = s.Store.EndPeriod(ctx, id, end)
	return erased(err)
}

// RemindOfEnd stores a reminder for the person that their period ends at the given time.
func (s Service) RemindOfEnd(ctx context.Context, workspace string, end time.Time) error {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return activities.BadID(err)
	}
	_, err = s.Store.RemindOfEnd(ctx, id, end)
	return erased(err)
}

// MailOfEnd mails the person that their period is about to end, if mail is configured and the address is confirmed.
func (s Service) MailOfEnd(ctx context.Context, workspace string, end time.Time) error {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return activities.BadID(err)
	}
	if s.Mail == nil {
		return nil
	}
	p, err := s.Store.Payer(ctx, id)
	if err != nil {
		return erased(err)
	}
	if !p.Confirmed {
		return nil
	}
	language, err := s.Store.LastLanguage(ctx, id)
	if err != nil {
		return err
	}
	mails := account.MailsIn(language)
	m := mails.Ending.With(
		"{product}",
		s.Product,
		"{day}",
		message.Date(end.In(clock.India).Format(time.DateOnly)).In(language),
		"{link}",
		s.URL+api.PathOf(id, p.Firm)+"/app",
	)
	return s.Mail.Send(ctx, p.Email, m.Subject, m.Text)
}
