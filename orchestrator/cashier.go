package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/google/uuid"

	"munshi/config"
	"munshi/orchestrator/account"
	"munshi/orchestrator/api"
	"munshi/orchestrator/payment"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// cashier brings the payment provider, the store and the durable work together.
type cashier struct {
	cfg      config.Payment
	store    *store.Store
	provider payment.Provider // nil: nobody can pay here
	work     *temporalWork
	mail     account.Mailer // nil: none is sent
	product  string
	url      string // where people come to, "" when that is not known
	log      *slog.Logger
}

var (
	_ api.Payments       = cashier{}
	_ workflows.Payments = cashier{}
)

func (a *app) cashier() cashier {
	c := cashier{cfg: a.cfg.Payment, store: a.store, work: a.work, mail: a.mailer(), product: a.cfg.Links.ProductName, url: a.cfg.Server.PublicURL, log: a.log}
	switch c.cfg.Provider {
	case "razorpay":
		c.provider = payment.Razorpay{KeyID: c.cfg.KeyID, KeySecret: c.cfg.KeySecret, BaseURL: c.cfg.BaseURL, Timeout: c.cfg.Timeout}
	case "sandbox":
		c.provider = payment.Sandbox{}
	}
	return c
}

// razorpayScript is where Razorpay serves its checkout from.
const razorpayScript = "https://checkout.razorpay.com/v1/checkout.js"

// offer tells the web app how Premium is paid for.
func (c cashier) offer() api.PaymentOffer {
	o := api.PaymentOffer{Provider: c.cfg.Provider, AmountPaise: c.cfg.AmountPaise, Currency: c.cfg.Currency, Price: c.cfg.Price,
		Description: c.cfg.Description, Support: c.cfg.Support, Places: []api.Place{}}
	if c.cfg.Provider == "razorpay" {
		o.KeyID, o.Checkout = c.cfg.KeyID, razorpayScript
		if c.cfg.Checkout != "" {
			o.Checkout = c.cfg.Checkout
		}
	}
	if c.cfg.Seller.GSTIN != "" {
		for _, p := range payment.Places {
			o.Places = append(o.Places, api.Place(p))
		}
	}
	return o
}

// keySecret signs what the checkout gives.
func (c cashier) keySecret() string {
	if c.cfg.Provider == "sandbox" {
		return payment.SandboxSecret
	}
	return c.cfg.KeySecret
}

// turnedDown is a refusal with a sentence for people.
type turnedDown struct{ code, sentence string }

func (t *turnedDown) Error() string       { return t.code }
func (t *turnedDown) RefusalCode() string { return t.code }
func (t *turnedDown) Sentence() string    { return t.sentence }

var (
	errNoPayments   = &turnedDown{"payments_off", "Nobody can subscribe here yet: whoever runs this installation has set up no payments."}
	errNeedsPlace   = &turnedDown{"place_needed", "Choose your State: the tax invoice has to name it."}
	errTooManyPays  = &turnedDown{"too_many_tries", "That were many payments begun at once. Wait some minutes, then try again."}
	errProviderAway = &turnedDown{"provider_away", "The payment provider does not answer. No money was taken; please try again in a moment."}
	errBadSignature = &turnedDown{"bad_signature", "This does not come from the payment provider, so that nothing was changed."}
	errNoSuchPay    = &turnedDown{"payment_refused", "This payment does not belong to this order, so that nothing was changed. If money was taken, contact support with the order id."}
)

// orders is how many a person may begin.
var orders = store.Rate{Every: time.Minute, Burst: 10}

// Start makes an order at the provider, keeps it, and has it watched.
func (c cashier) Start(ctx context.Context, person uuid.UUID, place string) (string, error) {
	if c.provider == nil {
		return "", errNoPayments
	}
	if c.cfg.Seller.GSTIN == "" {
		place = ""
	} else if payment.PlaceName(place) == "" {
		return "", errNeedsPlace
	}
	wait, err := c.store.Throttle(ctx, "orders "+person.String(), orders)
	if err != nil {
		return "", err
	}
	if wait > 0 {
		return "", errTooManyPays
	}
	order, err := c.provider.Order(ctx, c.cfg.AmountPaise, c.cfg.Currency, uuid.NewString())
	if err != nil {
		c.log.ErrorContext(ctx, "no order could be made", "error", err)
		return "", errProviderAway
	}
	n := store.NewPayment{Order: order, Provider: c.cfg.Provider, Workspace: person, Paise: c.cfg.AmountPaise, Currency: c.cfg.Currency, State: place}
	if err := c.store.StartPayment(ctx, n); err != nil {
		return "", err
	}
	if err := c.work.WatchOrder(ctx, c.watched(order, time.Now())); err != nil {
		c.log.WarnContext(ctx, "an order is not watched yet; the sweep will see to it", "order", order, "error", err)
	}
	return order, nil
}

func (c cashier) watched(order string, created time.Time) workflows.OrderInput {
	return workflows.OrderInput{Order: order, Created: created, After: c.cfg.ReconcileAfter}
}

// Verify checks the signature of a checkout's success, and then what the provider itself says of the payment. If it does not say
// so now, it is asked again until it does.
func (c cashier) Verify(ctx context.Context, person uuid.UUID, order, paid, signature string) error {
	p, err := c.store.Payment(ctx, person, order)
	if errors.Is(err, store.ErrNotFound) {
		c.suspect(ctx, &person, "order", map[string]any{"order": order})
		return err
	}
	if err != nil {
		return err
	}
	if err := payment.VerifyCheckout(order, paid, signature, c.keySecret()); err != nil {
		c.suspect(ctx, &person, "signature", map[string]any{"order": order})
		return errBadSignature
	}
	if c.cfg.Provider == "sandbox" && p.Provider == "sandbox" {
		return c.settle(ctx, store.Charge{Order: order, Payment: paid, State: store.Paid, Paise: p.AmountPaise, Currency: p.Currency})
	}
	look, cancel := context.WithTimeout(ctx, verifyTime)
	defer cancel()
	known, err := c.ask(look, order, paid)
	if err != nil || !known {
		var refused *turnedDown
		if errors.As(err, &refused) {
			if now, lerr := c.store.Payment(ctx, person, order); lerr == nil && settled(now.State) {
				return nil // paid twice: the other payment counts, and the provider gives this one back
			}
			return err
		}
		c.log.WarnContext(ctx, "the provider does not confirm a payment yet; it is asked again", "order", order, "error", err)
		if err := c.work.AskAboutOrder(ctx, c.watched(order, p.CreatedAt)); err != nil {
			c.log.WarnContext(ctx, "nor could that be begun; the watch of the order will", "order", order, "error", err)
		}
	}
	return nil
}

// verifyTime is how long a person's browser waits until the provider has confirmed.
const verifyTime = 3 * time.Second

// ask has the provider say what became of an order, and settles it; known tells whether it was the payment, or any where that is "".
func (c cashier) ask(ctx context.Context, order, paid string) (known bool, err error) {
	if c.provider == nil {
		return false, errNoPayments
	}
	list, err := c.provider.Payments(ctx, order)
	if err != nil {
		return false, err
	}
	var odd error
	for _, p := range list {
		err := c.settle(ctx, charge(p))
		var refused *turnedDown
		switch {
		case errors.As(err, &refused):
			odd = err // another may fit: an order is paid by one, however many were tried
		case err != nil:
			return known, err
		}
		known = known || p.ID == paid
	}
	return known, odd
}

func charge(p payment.Payment) store.Charge {
	return store.Charge{Order: p.Order, Payment: p.ID, State: string(p.State), Paise: p.Paise, Currency: p.Currency, Refunded: p.Refunded}
}

// settle takes what the provider says, notes what does not fit, and has a period that it changed watched.
func (c cashier) settle(ctx context.Context, what store.Charge) error {
	done, err := c.store.Settle(ctx, what, store.Sale{Period: c.cfg.Period, Receipt: c.receipt})
	var refused *store.Refused
	if errors.As(err, &refused) {
		if refused.Why == "unknown_order" && what.Event != "" {
			return nil // of something else that the same account sells
		}
		c.suspect(ctx, refused.Workspace, refused.Why, map[string]any{"order": what.Order, "payment": what.Payment})
		return errNoSuchPay
	}
	if err != nil {
		return err
	}
	if done.Changed {
		if err := c.work.WatchSubscription(ctx, workflows.SubscriptionInput{Workspace: done.Workspace.String()}); err != nil {
			c.log.WarnContext(ctx, "a period is not watched yet; the sweep will see to it", "error", err)
		}
	}
	return nil
}

// suspicions is how many of them are written down: whoever forges a million leaves a few, and the log has the rest.
var suspicions = store.Rate{Every: 10 * time.Second, Burst: 300}

// suspect notes what was refused.
func (c cashier) suspect(ctx context.Context, person *uuid.UUID, why string, detail map[string]any) {
	detail["why"] = why
	c.log.WarnContext(ctx, "a payment was refused", "why", why)
	wait, err := c.store.Throttle(ctx, "refused payments", suspicions)
	if err == nil && wait == 0 {
		err = c.store.Note(ctx, person, "payment_refused", detail)
	}
	if err != nil {
		c.log.ErrorContext(ctx, "a refused payment could not be noted", "error", err)
	}
}

// Hear takes a webhook. What is genuine and does not fit is noted and taken: to hear it again would change nothing.
func (c cashier) Hear(ctx context.Context, body []byte, signature, event string) error {
	if c.provider == nil {
		return errNoPayments
	}
	if err := payment.VerifyWebhook(body, signature, c.cfg.WebhookSecret); err != nil {
		c.suspect(ctx, nil, "webhook_signature", map[string]any{})
		return errBadSignature
	}
	e, err := payment.ReadEvent(body)
	if errors.Is(err, payment.ErrIgnored) {
		return nil
	}
	if err != nil {
		c.suspect(ctx, nil, "webhook_body", map[string]any{})
		return nil
	}
	what := charge(e.Payment)
	if what.Event, what.Kind = event, e.Kind; event == "" {
		what.Event = payment.Sign(string(body), "event") // the same body is the same event
	}
	var refused *turnedDown
	if err := c.settle(ctx, what); err != nil && !errors.As(err, &refused) {
		return err
	}
	return nil
}

// Sandbox pays an order of the sandbox. ErrNotFound where there is no sandbox.
func (c cashier) Sandbox(ctx context.Context, person uuid.UUID, order string) (string, string, error) {
	sandbox, chosen := c.provider.(payment.Sandbox)
	if !chosen {
		return "", "", store.ErrNotFound
	}
	p, err := c.store.Payment(ctx, person, order)
	if err != nil {
		return "", "", err
	}
	if p.Provider != "sandbox" {
		return "", "", store.ErrNotFound
	}
	paid, signature := sandbox.Pay(order)
	return paid, signature, nil
}

// receipt writes what stands on a receipt. Where the seller has a GSTIN it is a tax invoice, and the place of supply is the State that
// the person named: rule 46 wants it for online services to people who are not registered, whatever the value (Circular 242/36/2024).
func (c cashier) receipt(paise int64, place string) (string, json.RawMessage, error) {
	seller := c.cfg.Seller
	words := api.ReceiptWords{Seller: seller.Name, Address: seller.Address, Description: c.cfg.Description, TotalPaise: paise, Test: c.cfg.Provider == "sandbox"}
	if words.Seller == "" {
		words.Seller = c.product
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

// Reconcile asks the provider what became of an order.
func (c cashier) Reconcile(ctx context.Context, order string) (bool, error) {
	p, err := c.store.OpenOrder(ctx, order)
	if err != nil {
		return false, erased(err)
	}
	if settled(p.State) {
		if p.PaidAt != nil && time.Since(*p.PaidAt) >= askAgain { // of a refund nobody may have been told
			if _, err := c.ask(ctx, order, ""); err != nil {
				c.log.WarnContext(ctx, "the provider could not be asked whether a payment was given back", "order", order, "error", err)
			}
		}
		return false, nil
	}
	var refused *turnedDown
	if p.Provider == c.cfg.Provider { // else it was made before the settings were changed, and nobody can be asked
		if _, err := c.ask(ctx, order, ""); err != nil && !errors.As(err, &refused) {
			return true, err
		}
		if p, err = c.store.OpenOrder(ctx, order); err != nil {
			return false, erased(err)
		}
	}
	if p.State == "created" || p.State == store.Failed {
		if err := c.store.EndPending(ctx, p.WorkspaceID, order); err != nil { // nobody is at the checkout any more
			return true, err
		}
	}
	return !settled(p.State), nil
}

func settled(state string) bool {
	return state != "created" && state != store.Attempted && state != store.Failed
}

// erased says in the activities' terms that what was to be looked at is not there any more.
func erased(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%w: %w", workflows.ErrSuperseded, err)
	}
	return err
}

// CloseOrder gives an order up.
func (c cashier) CloseOrder(ctx context.Context, order string) error {
	return erased(c.store.CloseOrder(ctx, order))
}

// Period gives how long someone has paid for.
func (c cashier) Period(ctx context.Context, workspace string) (workflows.PaidPeriod, error) {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return workflows.PaidPeriod{}, badID(err)
	}
	p, err := c.store.Period(ctx, id)
	if err != nil {
		return workflows.PaidPeriod{}, erased(err)
	}
	if p.Status != "active" || p.CurrentPeriodEnd == nil {
		return workflows.PaidPeriod{}, nil
	}
	return workflows.PaidPeriod{Active: true, End: *p.CurrentPeriodEnd, Reminded: p.Reminded}, nil
}

// EndPeriod ends a period that ends then, or before.
func (c cashier) EndPeriod(ctx context.Context, workspace string, end time.Time) error {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return badID(err)
	}
	_, err = c.store.EndPeriod(ctx, id, end)
	return erased(err)
}

// RemindOfEnd shows the person that their period ends then.
func (c cashier) RemindOfEnd(ctx context.Context, workspace string, end time.Time) error {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return badID(err)
	}
	_, err = c.store.RemindOfEnd(ctx, id, end)
	return erased(err)
}

// MailOfEnd writes to the person that their period is about to end, where mail is sent and the address is known to be theirs.
func (c cashier) MailOfEnd(ctx context.Context, workspace string, end time.Time) error {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return badID(err)
	}
	if c.mail == nil {
		return nil
	}
	p, err := c.store.Person(ctx, id)
	if err != nil {
		return erased(err)
	}
	if p.ConfirmedAt == nil {
		return nil
	}
	language, err := c.store.LastLanguage(ctx, id)
	if err != nil {
		return err
	}
	mails := account.MailsIn(language)
	m := mails.Ending.With("{product}", c.product, "{day}", end.In(india).Format(mails.Day), "{link}", c.url+"/app")
	return c.mail.Send(ctx, p.Email, m.Subject, m.Text)
}

// payments brings back what was lost: orders that nobody watches, and periods that nobody ended or reminded of.
func (s sweeper) payments(ctx context.Context, now time.Time) error {
	open, err := s.store.UncheckedOrders(ctx, now.Add(-watchOrders), now.Add(-askAgain), oldestRecords(now))
	errs := []error{err}
	for _, o := range open {
		in := workflows.OrderInput{Order: o.OrderID, Created: o.CreatedAt, After: s.after}
		if o.Paid {
			in.After = time.Nanosecond // at once, and it never is open again
		}
		errs = append(errs, s.work.WatchOrder(ctx, in))
	}
	late := now.Add(-lateBy)
	over, err := s.store.OverduePeriods(ctx, late, late.Add(workflows.RemindBeforeEnd))
	errs = append(errs, err)
	for _, workspace := range over {
		errs = append(errs, s.work.WatchSubscription(ctx, workflows.SubscriptionInput{Workspace: workspace.String()}))
	}
	return errors.Join(errs...)
}

// tally counts what models cost, and refuses what nobody may spend any more today.
type tally struct {
	cfg   config.Spending
	store *store.Store
}

var (
	errSpent    = &turnedDown{"spend_cap", "Today's allowance for answers on your account is spent. It begins anew at midnight in India; what you wrote is still here."}
	errSpentAll = &turnedDown{"spend_cap_all", "Today's allowance for answers on this installation is spent. It begins anew at midnight in India; whoever runs it can raise it (spending.installation_day_paise). What you wrote is still here."}
)

// afford refuses where the person, or all together, have spent what a day may cost.
func (t tally) afford(ctx context.Context, workspace string) error {
	id, err := uuid.Parse(workspace)
	if err != nil || t.cfg == (config.Spending{}) {
		return nil // the command line, or no limit
	}
	mine, all, err := t.store.Spent(ctx, id)
	switch {
	case err != nil:
		return err
	case id != store.Nobody && t.cfg.PersonDayPaise > 0 && mine.Today >= t.cfg.PersonDayPaise:
		return errSpent
	case t.cfg.InstallationDayPaise > 0 && all.Today >= t.cfg.InstallationDayPaise:
		return errSpentAll
	}
	return nil
}

// spend notes what a call has cost.
func (t tally) spend(ctx context.Context, workspace string, paise *int64) error {
	id, err := uuid.Parse(workspace)
	if err != nil || paise == nil {
		return nil
	}
	return t.store.Spend(context.WithoutCancel(ctx), id, *paise) // also when the person has stopped it: it was paid for
}
