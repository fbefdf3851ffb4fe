package api

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// Abuse limits what one network address may do in an hour before its browsers must solve a proof of work; 0 means no
// limit. Nobody is refused outright, since many people can share the address of a mobile network.
type Abuse struct {
	Visitors, SignUps, FreeTurns int
	UploadMB                     int // in units of 1,000,000 bytes
	Neighbours                   int // how many times as much a whole /24 (IPv4) or /64 (IPv6) network may do
	// leading zero bits that the first proofs of work need; later ones need up to mostHarder more
	WorkBits int
}

// Proof is the proof of work that a browser must do before the same request is accepted: find a text such that the
// SHA-256 of challenge and text begins with this many zero bits. Challenge and text together go into the header
// Munshi-Work.
type Proof struct {
	Challenge string `json:"challenge"`
	Bits      int    `json:"bits"`
}

// The proof of work gets one bit harder for each further hourly allowance that an address uses up.
const (
	mostHarder = 5
	workLife   = 15 * time.Minute // how long a challenge is valid
	clocksMay  = time.Minute      // how much the clocks of our processes may differ
)

// use is something to count: its name, the amount, and the allowance per hour.
type use struct {
	name           string
	perHour, times int
}

// spare counts uses for the client's address and its network. Above the hourly allowance it asks for a proof of work,
// unless the request carries one. kind is the kind of request for which the proof is valid.
func (s *server) spare(ctx context.Context, kind string, uses ...use) error {
	of, _ := ctx.Value(browserKey{}).(asking)
	address, neighbourhood := networks(of.browser.Address)
	type count struct {
		key  string
		cost time.Duration // of the request, as the time after which it no longer counts
	}
	var counts []count
	for _, u := range uses {
		for where, perHour := range map[string]int{address: u.perHour, neighbourhood: u.perHour * s.Abuse.Neighbours} {
			if perHour > 0 && u.times > 0 {
				cost := time.Hour / time.Duration(perHour) * time.Duration(min(u.times, perHour))
				counts = append(counts, count{u.name + "|" + where, cost})
			}
		}
	}
	var over []count
	harder := 0
	for _, c := range counts {
		wait, err := s.Store.Spare(ctx, c.key, c.cost, time.Hour)
		if err != nil {
			return err
		}
		if wait == 0 {
			continue
		}
		owed, err := s.Store.Owed(ctx, c.key)
		if err != nil {
			return err
		}
		over, harder = append(over, c), max(harder, int((owed+c.cost-time.Hour)/time.Hour))
	}
	if len(over) == 0 {
		return nil
	}
	needed := s.Abuse.WorkBits + min(harder, mostHarder)
	done, err := s.worked(ctx, of.work, kind, address, needed)
	if err != nil {
		return err
	}
	if !done {
		p := refuse("work_needed", nil)
		p.Work = &Proof{Challenge: challenge(kind, address, time.Now()), Bits: needed}
		return p
	}
	for _, c := range over {
		if err := s.Store.Owe(ctx, c.key, c.cost, (mostHarder+2)*time.Hour); err != nil {
			return err
		}
	}
	return nil
}

// challenge returns a challenge for one kind of request from one address. It holds its time, kind and address, so that
// worked can check them.
func challenge(kind, address string, now time.Time) string {
	return strings.Join([]string{"1", strconv.FormatInt(now.Unix(), 10), kind, markOf(address), rand.Text(), ""}, ":")
}

// worked reports whether a stamp proves the required work. A stamp is accepted only once, across all processes.
func (s *server) worked(ctx context.Context, stamp, kind, address string, needed int) (bool, error) {
	part := strings.Split(stamp, ":")
	if len(stamp) > 200 || len(part) != 6 || part[0] != "1" || part[2] != kind || part[3] != markOf(address) {
		return false, nil
	}
	begun, err := strconv.ParseInt(part[1], 10, 64)
	age := time.Since(time.Unix(begun, 0))
	// One bit less is enough, since others at the address may have raised the difficulty meanwhile.
	if err != nil || age > workLife || age < -clocksMay || zeroBits(sha256.Sum256([]byte(stamp))) < needed-1 {
		return false, nil
	}
	wait, err := s.Store.Throttle(ctx, "work|"+markOf(stamp), store.Rate{Every: workLife + 2*clocksMay, Burst: 1})
	return wait == 0, err
}

// zeroBits counts the leading zero bits.
func zeroBits(sum [sha256.Size]byte) int {
	n := 0
	for _, b := range sum {
		n += bits.LeadingZeros8(b)
		if b != 0 {
			break
		}
	}
	return n
}

// markOf returns a short hash of a text, for places where the text itself must not be readable.
func markOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// networks returns an address in its normal form, and the network around it: a /24 or a /64.
func networks(address string) (one, around string) {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return "unknown", "unknown network"
	}
	ip = ip.Unmap().WithZone("")
	width := 24
	if ip.Is6() {
		width = 64
	}
	return ip.String(), netip.PrefixFrom(ip, width).Masked().String()
}

// freely reports whether a request is free of charge: the person has no account or, where Premium is sold, has not
// bought it.
func (s *server) freely(ctx context.Context, workspace uuid.UUID) (bool, error) {
	if of := sessionOf(ctx); of != nil && of.SignedIn && s.Config.Payment.Provider == "" {
		return false, nil
	}
	sub, err := s.Store.Subscription(ctx, workspace)
	return !sub.Premium, err
}

// spareTurn counts a free turn and, if a file comes with it, the file's size.
func (s *server) spareTurn(ctx context.Context, workspace uuid.UUID, kind string, with ...use) error {
	if s.Abuse == (Abuse{}) {
		return nil
	}
	free, err := s.freely(ctx, workspace)
	if err != nil || !free {
		return err
	}
	return s.spare(ctx, kind, append(with, use{"turns", s.Abuse.FreeTurns, 1})...)
}

// uploaded returns the size of an upload, as a use to count; if it is unknown, the largest accepted size.
func (s *server) uploaded(r *http.Request) use {
	size := r.ContentLength
	if size < 0 {
		size = s.Config.Upload.MaxBytes
	}
	return use{"uploads", s.Abuse.UploadMB, int((size + 999_999) / 1_000_000)}
}

// room refuses new files and turns while the disk is full.
func (s *server) room() error {
	if s.DiskFull != nil && s.DiskFull() {
		return refuse("disk_full", nil)
	}
	return nil
}

// beforeBody runs may before the body of an upload is read, and refuses the upload if may fails or the disk is full.
func (s *server) beforeBody(may func(ctx context.Context, r *http.Request, conversation uuid.UUID) error) huma.Middlewares {
	return huma.Middlewares{func(hc huma.Context, next func(huma.Context)) {
		c := humagin.Unwrap(hc)
		id, err := uuid.Nil, error(nil)
		if named := c.Param("id"); named != "" { // a path may name nothing
			id, err = uuid.Parse(named)
		}
		c.Request.SetPathValue("authority", c.Param("authority"))
		if err != nil {
			err = store.ErrNotFound
		} else if err = s.room(); err == nil {
			err = may(c.Request.Context(), c.Request, id)
		}
		if err != nil {
			p := s.toProblem(err)
			s.logCause(c.Request.Context(), p)
			s.refuseBody(c, p)
			return
		}
		next(hc)
	}}
}

// mayBegin refuses an upload if its conversation is busy. again means that this is a repetition of an accepted request,
// which is simply answered again.
func (s *server) mayBegin(ctx context.Context, r *http.Request,
	conversation uuid.UUID) (workspace uuid.UUID, again bool, err error) {
	if workspace, err = who(ctx); err != nil {
		return workspace, false, err
	}
	f, err := s.Store.Follow(ctx, workspace, conversation, store.EventID{})
	if err != nil {
		return workspace, false, err
	}
	if key := plainText(r.Header.Get("Idempotency-Key")); key != "" {
		if again, err := s.Store.Taken(ctx, workspace, conversation, key); err != nil || again {
			return workspace, again, err
		}
	}
	if f.Live != nil && (f.Live.Turn.State == "queued" || f.Live.Turn.State == "running") {
		return workspace, false, store.ErrTurnOpen
	}
	return workspace, false, nil
}

// mayHandIn refuses a document before it is uploaded, if it would be refused afterwards anyway.
func (s *server) mayHandIn(ctx context.Context, r *http.Request, conversation uuid.UUID) error {
	workspace, again, err := s.mayBegin(ctx, r, conversation)
	if err != nil || again {
		return err
	}
	sub, err := s.Store.Subscription(ctx, workspace)
	if err != nil {
		return err
	}
	if free := s.freeUses(ctx); free != nil && !sub.Premium && int(sub.UsageCount) >= *free {
		if asked, err := s.asksForDocuments(ctx, workspace, conversation); err != nil || !asked {
			return errors.Join(err, store.ErrNoUseLeft)
		}
	}
	if err := s.mayAsk(ctx, workspace); err != nil {
		return err
	}
	return s.spareTurn(ctx, workspace, "upload", s.uploaded(r))
}

// asksForDocuments reports whether a conversation waits for documents: handing them in is free of charge. Which one an
// upload is for is not known before its body is read.
func (s *server) asksForDocuments(ctx context.Context, workspace, conversation uuid.UUID) (bool, error) {
	d, err := s.Store.Detail(ctx, workspace, conversation)
	return slices.ContainsFunc(d.Required, func(r store.RequiredDocumentRow) bool { return r.State == "needed" }), err
}

// mayAttach refuses the PDF of an authority if the conversation does not belong to the caller, or has no such
// authority.
func (s *server) mayAttach(ctx context.Context, r *http.Request, conversation uuid.UUID) error {
	workspace, err := who(ctx)
	if err != nil {
		return err
	}
	list, err := s.Store.Authorities(ctx, workspace, conversation)
	if err != nil {
		return err
	}
	if id := r.PathValue("authority"); id != "" && // an acknowledgement is for the conversation itself
		!slices.ContainsFunc(list, func(a store.Authority) bool { return a.ID.String() == strings.ToLower(id) }) {
		return store.ErrNotFound
	}
	free, err := s.freely(ctx, workspace)
	if err != nil || !free {
		return err
	}
	return s.spare(ctx, "upload", s.uploaded(r))
}

// permitSignUp counts a sign-up at the client's address.
func (s *server) permitSignUp(ctx context.Context) error {
	if err := s.spare(ctx, "sign-up", use{"sign-ups", s.Abuse.SignUps, 1}); err != nil {
		return fmt.Errorf("sign up: %w", err)
	}
	return nil
}
