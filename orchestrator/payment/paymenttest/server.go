// Package paymenttest imitates Razorpay: orders, their payments, webhooks with signatures, and the checkout script. It
// follows the formats in Razorpay's documentation and takes no money. It was not compared with Razorpay itself.
package paymenttest

import (
	"bytes"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"munshi/orchestrator/payment"
)

//go:embed checkout.js
var checkout []byte

// Server is the imitation. While it runs, its behaviour may be changed only by SetMood.
type Server struct {
	KeyID, KeySecret, WebhookSecret string
	Webhook                         string // address for events; "" sends none

	mu       sync.Mutex
	mood     Mood
	orders   map[string]*order
	payments map[string]*pay
	held     []Event
	asked    int
}

// Mood says how the server behaves.
type Mood struct {
	Status    int           `json:"status"`    // answer every API request with this status; 0: normally
	Empty     bool          `json:"empty"`     // answer with an empty object and 200
	Amount    int64         `json:"amount"`    // payments have this amount in paise; 0: that of the order
	Currency  string        `json:"currency"`  // payments have this currency; "": that of the order
	Hold      bool          `json:"hold"`      // hold back events, for Held
	Repeat    int           `json:"repeat"`    // send each event this many times more
	Delay     time.Duration `json:"delay"`     // before each event
	Authorise bool          `json:"authorise"` // payments are authorised but not captured
}

type order struct {
	ID       string `json:"id"`
	Entity   string `json:"entity"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Receipt  string `json:"receipt"`
	Status   string `json:"status"`
	Attempts int    `json:"attempts"`
	Created  int64  `json:"created_at"`
}

type pay struct {
	ID             string `json:"id"`
	Entity         string `json:"entity"`
	Amount         int64  `json:"amount"`
	Currency       string `json:"currency"`
	Status         string `json:"status"`
	OrderID        string `json:"order_id"`
	Method         string `json:"method"`
	AmountRefunded int64  `json:"amount_refunded"`
	RefundStatus   any    `json:"refund_status"`
	Captured       bool   `json:"captured"`
	Created        int64  `json:"created_at"`
}

// Event is a webhook event as it is sent.
type Event struct {
	ID   string
	Body []byte
}

// SetMood changes how the server behaves from now on.
func (s *Server) SetMood(m Mood) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mood = m
}

// Held returns the events held back, in order, and removes them.
func (s *Server) Held() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.held
	s.held = nil
	return held
}

// Asked returns how often the payments of an order were requested.
func (s *Server) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Success is what the checkout passes to the page.
type Success struct {
	Payment   string `json:"razorpay_payment_id"`
	Order     string `json:"razorpay_order_id"`
	Signature string `json:"razorpay_signature"`
}

// Pay pays an order as a person would in the checkout, and sends its events.
func (s *Server) Pay(id string) (Success, error) {
	s.mu.Lock()
	o := s.orders[id]
	if o == nil {
		s.mu.Unlock()
		return Success{}, fmt.Errorf("there is no order %s", id)
	}
	p := &pay{ID: "pay_" + rand.Text()[:14], Entity: "payment", Amount: o.Amount, Currency: o.Currency,
		Status: "authorized", OrderID: id, Method: "upi", Created: time.Now().Unix()}
	if s.mood.Amount != 0 {
		p.Amount = s.mood.Amount
	}
	if s.mood.Currency != "" {
		p.Currency = s.mood.Currency
	}
	s.payments[p.ID] = p
	o.Attempts++
	o.Status = "attempted"
	authorise := s.mood.Authorise
	s.mu.Unlock()
	s.Tell("payment.authorized", p.ID)
	if !authorise {
		s.Capture(p.ID)
	}
	return Success{Payment: p.ID, Order: id, Signature: payment.Sign(id+"|"+p.ID, s.KeySecret)}, nil
}

// Capture captures an authorised payment, and sends the event.
func (s *Server) Capture(id string) {
	s.mu.Lock()
	p := s.payments[id]
	p.Status, p.Captured = "captured", true
	s.orders[p.OrderID].Status = "paid"
	s.mu.Unlock()
	s.Tell("payment.captured", id)
	s.Tell("order.paid", id)
}

// Fail lets a payment of an order fail, and sends the event.
func (s *Server) Fail(order string) {
	s.mu.Lock()
	o := s.orders[order]
	p := &pay{ID: "pay_" + rand.Text()[:14], Entity: "payment", Amount: o.Amount, Currency: o.Currency,
		Status: "failed", OrderID: order, Method: "upi", Created: time.Now().Unix()}
	s.payments[p.ID] = p
	o.Attempts++
	o.Status = "attempted"
	s.mu.Unlock()
	s.Tell("payment.failed", p.ID)
}

// Refund refunds a payment, or a number of paise of it, and sends the event.
func (s *Server) Refund(id string, paise int64) {
	s.mu.Lock()
	p := s.payments[id]
	p.AmountRefunded += paise
	p.RefundStatus = "partial"
	if p.AmountRefunded >= p.Amount {
		p.Status, p.RefundStatus = "refunded", "full"
	}
	s.mu.Unlock()
	s.Tell("refund.created", id)
	s.Tell("refund.processed", id)
}

// Tell sends an event about a payment in its current state to the webhook.
func (s *Server) Tell(kind, id string) {
	s.mu.Lock()
	p := *s.payments[id]
	payload := map[string]any{"payment": map[string]any{"entity": p}}
	contains := []string{"payment"}
	switch {
	case kind == "order.paid":
		payload["order"] = map[string]any{"entity": s.orders[p.OrderID]}
		contains = append(contains, "order")
	case strings.HasPrefix(kind, "refund."):
		payload["refund"] = map[string]any{"entity": map[string]any{"id": "rfnd_" + rand.Text()[:14],
			"entity": "refund", "payment_id": id, "amount": p.AmountRefunded, "currency": p.Currency}}
		contains = append(contains, "refund")
	case strings.HasPrefix(kind, "payment.dispute."):
		payload["dispute"] = map[string]any{"entity": map[string]any{"id": "disp_" + rand.Text()[:14],
			"entity": "dispute", "payment_id": id, "amount": p.Amount}}
		contains = append(contains, "dispute")
	}
	body, _ := json.Marshal(map[string]any{"entity": "event", "account_id": "acc_test", "event": kind,
		"contains": contains, "payload": payload, "created_at": time.Now().Unix()})
	event := Event{ID: "evt_" + rand.Text(), Body: body}
	mood := s.mood
	if mood.Hold {
		s.held = append(s.held, event)
	}
	s.mu.Unlock()
	if mood.Hold || s.Webhook == "" {
		return
	}
	time.Sleep(mood.Delay)
	for range 1 + mood.Repeat {
		_, _ = s.Send(event)
	}
}

// Send sends an event to the webhook and returns the status of the answer.
func (s *Server) Send(e Event) (int, error) {
	return s.SendSigned(e, payment.Sign(string(e.Body), s.WebhookSecret))
}

// SendSigned sends an event with the given signature.
func (s *Server) SendSigned(e Event, signature string) (int, error) {
	req, err := http.NewRequest(http.MethodPost, s.Webhook, bytes.NewReader(e.Body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Razorpay-Signature", signature)
	req.Header.Set("X-Razorpay-Event-Id", e.ID)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}

// ServeHTTP answers like the API under /v1/, serves the checkout script, and accepts commands of tests under /test/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.orders == nil {
		s.orders, s.payments = map[string]*order{}, map[string]*pay{}
	}
	mood := s.mood
	s.mu.Unlock()
	switch path := r.URL.Path; {
	case path == "/v1/checkout.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(checkout)
	case strings.HasPrefix(path, "/test/"):
		s.test(w, r, strings.TrimPrefix(path, "/test/"))
	default:
		id, secret, _ := r.BasicAuth()
		switch {
		case id != s.KeyID || secret != s.KeySecret:
			refuse(w, http.StatusUnauthorized, "Authentication failed")
		case mood.Status != 0:
			refuse(w, mood.Status, "as the test wants it")
		case mood.Empty:
			answer(w, map[string]any{})
		default:
			s.api(w, r)
		}
	}
}

func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/v1/orders":
		var in struct {
			Amount   int64  `json:"amount"`
			Currency string `json:"currency"`
			Receipt  string `json:"receipt"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Amount < 100 || in.Currency == "" ||
			len(in.Receipt) > 40 {
			refuse(w, http.StatusBadRequest, "Order amount less than minimum amount allowed")
			return
		}
		o := &order{
			ID:       "order_" + rand.Text()[:14],
			Entity:   "order",
			Amount:   in.Amount,
			Currency: in.Currency,
			Receipt:  in.Receipt,
			Status:   "created",
			Created:  time.Now().Unix(),
		}
		s.orders[o.ID] = o
		answer(w, o)
	case r.Method == http.MethodGet && len(parts) == 4 && parts[1] == "orders" && parts[3] == "payments":
		s.asked++
		if s.orders[parts[2]] == nil {
			refuse(w, http.StatusBadRequest, "The id provided does not exist")
			return
		}
		items := []*pay{}
		for _, p := range s.payments {
			if p.OrderID == parts[2] {
				items = append(items, p)
			}
		}
		answer(w, map[string]any{"entity": "collection", "count": len(items), "items": items})
	default:
		refuse(w, http.StatusNotFound, "The requested URL was not found on the server")
	}
}

// test lets a browser test, and the checkout script, do what people and Razorpay do.
func (s *Server) test(w http.ResponseWriter, r *http.Request, what string) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "*")
	if r.Method != http.MethodPost {
		return
	}
	var in struct {
		Order   string `json:"order"`
		Payment string `json:"payment"`
		Mood
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		refuse(w, http.StatusBadRequest, "what is this")
		return
	}
	switch what {
	case "pay":
		done, err := s.Pay(in.Order)
		if err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
		answer(w, done)
	case "fail":
		s.Fail(in.Order)
		answer(w, map[string]any{})
	case "capture":
		for _, id := range s.authorised(in.Order) {
			s.Capture(id)
		}
		answer(w, map[string]any{})
	case "refund":
		s.Refund(in.Payment, 100)
		answer(w, map[string]any{})
	case "mood":
		s.SetMood(in.Mood)
		answer(w, map[string]any{})
	default:
		http.NotFound(w, r)
	}
}

// authorised returns the payments of an order that are not captured yet.
func (s *Server) authorised(order string) (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, p := range s.payments {
		if p.OrderID == order && p.Status == "authorized" {
			ids = append(ids, id)
		}
	}
	return ids
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).
		Encode(map[string]any{"error": map[string]any{"code": "BAD_REQUEST_ERROR", "description": why}})
}
