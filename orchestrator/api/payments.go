package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Payments sells Premium. A refusal is an error of type Refusal.
type Payments interface {
	// Start creates an order.
	Start(ctx context.Context, p Purchase) (order string, err error)
	// Verify takes the success message of the checkout, and settles the order if the provider confirms it already.
	Verify(ctx context.Context, workspace uuid.UUID, order, payment, signature string) error
	// Hear takes the body of a webhook, exactly as received.
	Hear(ctx context.Context, body []byte, signature, event string) error
	// Sandbox pays an order in the sandbox; no money moves.
	Sandbox(ctx context.Context, workspace uuid.UUID, order string) (payment, signature string, err error)
}

// Purchase says what is bought.
type Purchase struct {
	Workspace uuid.UUID
	Place     string // the payer's State, by its GST code
	Seats     int    // number of seats of a firm; 0 for a person
}

// PaymentOffer says how Premium can be bought here.
type PaymentOffer struct {
	Provider         string  `json:"provider" enum:",razorpay,sandbox" doc:"Empty: nobody can subscribe here"`
	KeyID            string  `json:"key_id" doc:"For the provider's checkout; no secret"`
	Checkout         string  `json:"checkout" doc:"The address of the provider's script; empty if it has none"`
	AmountPaise      int64   `json:"amount_paise"`
	Currency         string  `json:"currency"`
	Price            string  `json:"price" doc:"As it is shown, such as ₹1/month"`
	Description      string  `json:"description"`
	DescriptionHindi string  `json:"description_hi,omitempty"`
	Support          string  `json:"support" doc:"Priority Support: an e-mail address or a page; empty: none is named"`
	SeatPaise        int64   `json:"seat_paise" doc:"What a firm pays for each member who works in it"`
	Places           []Place `json:"places" doc:"The payer chooses one of them; empty if nobody is asked"`
}

// Place is a State or Union territory.
type Place struct {
	Code string `json:"code" doc:"Of GST"`
	Name string `json:"name"`
}

// PaymentOrder is an order that can be paid.
type PaymentOrder struct {
	OrderID     string `json:"order_id"`
	Email       string `json:"email" doc:"To fill in the checkout"`
	AmountPaise int64  `json:"amount_paise"`
}

// PaymentState is what the server has verified about a payment.
type PaymentState struct {
	OrderID   string     `json:"order_id"`
	State     string     `json:"state" enum:"waiting,failed,paid,disputed,returned" doc:"returned: the money was refunded"`
	Premium   bool       `json:"premium"`
	PeriodEnd *time.Time `json:"period_end"`
}

// Billing is what a person has used and paid for.
type Billing struct {
	Me
	Payments []PayLine `json:"payments" doc:"Paid ones, latest first"`
}

// PayLine is a payment in a list.
type PayLine struct {
	OrderID     string    `json:"order_id"`
	PaymentID   string    `json:"payment_id"`
	State       string    `json:"state" enum:"waiting,failed,paid,disputed,returned"`
	AmountPaise int64     `json:"amount_paise"`
	PaidAt      time.Time `json:"paid_at"`
	Number      string    `json:"number" doc:"Of the receipt or invoice"`
	Invoice     bool      `json:"invoice" doc:"It is a tax invoice"`
}

// Receipt is the content of a receipt or a tax invoice (rule 46, CGST Rules).
type Receipt struct {
	ReceiptWords
	Number    string     `json:"number"`
	PaidAt    time.Time  `json:"paid_at"`
	OrderID   string     `json:"order_id"`
	PaymentID string     `json:"payment_id"`
	Email     string     `json:"email" doc:"Of the person; it is kept with the account alone"`
	From      *time.Time `json:"period_from"`
	To        *time.Time `json:"period_to"`
	State     string     `json:"state" enum:"waiting,failed,paid,disputed,returned"`
}

// ReceiptWords are the texts of a receipt, as they were at the time of payment.
type ReceiptWords struct {
	Invoice          bool    `json:"invoice"`
	Test             bool    `json:"test" doc:"No money was taken"`
	Seller           string  `json:"seller"`
	Address          string  `json:"address"`
	GSTIN            string  `json:"gstin"`
	SellerPlace      string  `json:"seller_place" doc:"The seller's State"`
	Place            string  `json:"place" doc:"The recipient's State, which is the place of supply"`
	PlaceCode        string  `json:"place_code"`
	Description      string  `json:"description"`
	DescriptionHindi string  `json:"description_hi,omitempty"`
	SAC              string  `json:"sac"`
	Rate             float64 `json:"rate" doc:"Per cent"`
	TaxablePaise     int64   `json:"taxable_paise"`
	CGSTPaise        int64   `json:"cgst_paise"`
	SGSTPaise        int64   `json:"sgst_paise"`
	IGSTPaise        int64   `json:"igst_paise"`
	TotalPaise       int64   `json:"total_paise"`
}

// webhookPath is the address that the payment provider calls, without a session.
const webhookPath = "/api/payments/webhook"

const (
	webhookBytes = 256 << 10
	webhookTime  = 4 * time.Second // providers expect an answer within five seconds
)

func (s *server) paymentRoutes(api huma.API) {
	get(api, "get-billing", "/api/billing", "What the person has used and paid", s.billing)
	post(api, "start-payment", "/api/payments", "Make an order for a period of Premium", http.StatusCreated,
		s.startPayment)
	post(api, "verify-payment", "/api/payments/verify", "Hand in what the checkout gave; the server verifies it",
		http.StatusOK, s.verifyPayment)
	get(api, "get-payment", "/api/payments/{order}", "What the server has verified of an order", s.payment)
	post(api, "dismiss-payment", "/api/payments/{order}/dismissed", "Note that the checkout was closed without paying",
		http.StatusNoContent, s.dismissPayment)
	post(api, "pay-in-sandbox", "/api/payments/{order}/sandbox", "Pay in the sandbox, which takes no money",
		http.StatusOK, s.payInSandbox)
	get(api, "get-receipt", "/api/payments/{order}/receipt", "What stands on the receipt or tax invoice of a payment",
		s.receipt)
	huma.Register(api, huma.Operation{OperationID: "payment-webhook", Method: http.MethodPost, Path: webhookPath,
		Summary:       "Receive the payment provider's events, signed with the webhook secret",
		DefaultStatus: http.StatusNoContent, MaxBodyBytes: webhookBytes, SkipValidateBody: true}, s.webhook)
}

type startInput struct {
	Body struct {
		Place string `json:"place,omitempty" maxLength:"2" doc:"The person's State, where the offer asks for it"`
		Seats int    `json:"seats,omitempty" minimum:"1" maximum:"1000" doc:"For a firm: the number of seats, at least one for each member who works in it"`
	}
}

func (s *server) startPayment(ctx context.Context, in *startInput) (*body[PaymentOrder], error) {
	workspace, err := payer(ctx)
	if err != nil {
		return nil, err
	}
	seats := 0
	if a, acts := store.ActingIn(ctx); acts {
		taken, err := s.Store.SeatsTaken(ctx, a.Workspace)
		if err != nil {
			return nil, s.toProblem(err)
		}
		seats = max(in.Body.Seats, taken)
	}
	order, err := s.Payments.Start(ctx, Purchase{Workspace: workspace, Place: in.Body.Place, Seats: seats})
	if err != nil {
		return nil, s.toProblem(err)
	}
	made := PaymentOrder{OrderID: order, Email: sessionOf(ctx).Email, AmountPaise: s.Config.Payment.AmountPaise}
	if seats > 0 {
		made.AmountPaise = s.Config.Payment.SeatPaise * int64(seats)
	}
	return &body[PaymentOrder]{made}, nil
}

type verifyInput struct {
	Body struct {
		OrderID   string `json:"order_id" maxLength:"100"`
		PaymentID string `json:"payment_id" maxLength:"100"`
		Signature string `json:"signature" maxLength:"200"`
	}
}

func (s *server) verifyPayment(ctx context.Context, in *verifyInput) (*body[PaymentState], error) {
	workspace, err := payer(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Payments.Verify(ctx, workspace, in.Body.OrderID, in.Body.PaymentID, in.Body.Signature); err != nil {
		return nil, s.toProblem(err)
	}
	return s.paymentState(ctx, workspace, in.Body.OrderID)
}

type orderInput struct {
	Order string `path:"order" maxLength:"100"`
}

func (s *server) payment(ctx context.Context, in *orderInput) (*body[PaymentState], error) {
	workspace, err := payer(ctx)
	if err != nil {
		return nil, err
	}
	return s.paymentState(ctx, workspace, in.Order)
}

func (s *server) paymentState(ctx context.Context, workspace uuid.UUID, order string) (*body[PaymentState], error) {
	p, err := s.Store.Payment(ctx, workspace, order)
	if err != nil {
		return nil, s.toProblem(err)
	}
	sub, err := s.Store.Subscription(ctx, workspace)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[PaymentState]{PaymentState{OrderID: order, State: shownState(p.State), Premium: sub.Premium,
		PeriodEnd: sub.CurrentPeriodEnd}}, nil
}

// shownState returns the state of a payment as the API names it.
func shownState(state string) string {
	switch state {
	case store.Paid, store.Kept:
		return "paid"
	case store.Failed, store.Disputed:
		return state
	case store.Lost, store.Refunded:
		return "returned"
	}
	return "waiting"
}

func (s *server) dismissPayment(ctx context.Context, in *orderInput) (*none, error) {
	workspace, err := payer(ctx)
	if err == nil {
		err = s.Store.DismissPayment(ctx, workspace, in.Order)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

// SandboxPayment is what the checkout of a real provider would return.
type SandboxPayment struct {
	PaymentID string `json:"payment_id"`
	Signature string `json:"signature"`
}

func (s *server) payInSandbox(ctx context.Context, in *orderInput) (*body[SandboxPayment], error) {
	workspace, err := payer(ctx)
	if err != nil {
		return nil, err
	}
	payment, signature, err := s.Payments.Sandbox(ctx, workspace, in.Order)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[SandboxPayment]{SandboxPayment{payment, signature}}, nil
}

func (s *server) billing(ctx context.Context, _ *none) (*body[Billing], error) {
	workspace, err := payer(ctx)
	if err != nil {
		return nil, err
	}
	me, err := s.meOf(ctx, sessionOf(ctx))
	if err != nil {
		return nil, s.toProblem(err)
	}
	rows, err := s.Store.Payments(ctx, workspace)
	if err != nil {
		return nil, s.toProblem(err)
	}
	b := Billing{Me: me, Payments: []PayLine{}}
	for _, p := range rows {
		if p.PaidAt == nil || p.ReceiptNumber == nil {
			continue
		}
		var words ReceiptWords
		if err := json.Unmarshal(p.Receipt, &words); err != nil {
			return nil, s.toProblem(err)
		}
		b.Payments = append(b.Payments,
			PayLine{OrderID: p.OrderID, PaymentID: idOf(p), State: shownState(p.State), AmountPaise: p.AmountPaise,
				PaidAt: *p.PaidAt, Number: *p.ReceiptNumber, Invoice: words.Invoice})
	}
	return &body[Billing]{b}, nil
}

func idOf(p store.Payment) string {
	if p.PaymentID == nil {
		return ""
	}
	return *p.PaymentID
}

func (s *server) receipt(ctx context.Context, in *orderInput) (*body[Receipt], error) {
	workspace, err := payer(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Store.Payment(ctx, workspace, in.Order)
	if err == nil && (p.PaidAt == nil || p.ReceiptNumber == nil) {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	r := Receipt{Number: *p.ReceiptNumber, PaidAt: *p.PaidAt, OrderID: p.OrderID, PaymentID: idOf(p),
		Email: sessionOf(ctx).Email, From: p.PeriodFrom, To: p.PeriodTo, State: shownState(p.State)}
	if err := json.Unmarshal(p.Receipt, &r.ReceiptWords); err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Receipt]{r}, nil
}

type webhookInput struct {
	Signature string `header:"X-Razorpay-Signature" maxLength:"200"`
	Event     string `header:"X-Razorpay-Event-Id" maxLength:"200"`
	RawBody   []byte // exactly as signed
}

func (s *server) webhook(ctx context.Context, in *webhookInput) (*none, error) {
	ctx, cancel := context.WithTimeout(ctx, webhookTime)
	defer cancel()
	if err := s.Payments.Hear(ctx, in.RawBody, in.Signature, in.Event); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

// mayAsk refuses a turn if the disk is full, if today's spending limit is reached, or if the person has sent more turns
// in the last hour than fair use allows.
func (s *server) mayAsk(ctx context.Context, workspace uuid.UUID) error {
	if err := s.room(); err != nil {
		return err
	}
	if s.Afford != nil {
		if err := s.Afford(ctx, workspace.String()); err != nil {
			return err
		}
	}
	if s.FairUse == (store.Rate{}) {
		return nil
	}
	asks := workspace
	if of := sessionOf(ctx); of != nil { // in a firm, each member has their own allowance
		asks = of.Workspace
	}
	wait, err := s.Store.Throttle(ctx, "fair use "+asks.String(), s.FairUse)
	if err == nil && wait > 0 {
		err = refuse("fair_use", problem.Params{"wait": inMinutes(wait), "after": wait})
	}
	return err
}

func inMinutes(d time.Duration) message.Message {
	return message.New("time.minutes", message.Params{"count": max(1, int((d+time.Minute-1)/time.Minute))})
}
