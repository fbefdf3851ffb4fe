package workflows

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// FollowUpInput identifies the conversation whose required documents are awaited.
type FollowUpInput struct {
	Workspace, Conversation string
	Plugin                  string
}

// Awaited is a required document: its id, the document received for it, and its state.
type Awaited struct {
	ID       string
	Document string // "" until one is received
	State    string // needed, uploaded, reviewed
}

// Waiting is the state of a follow-up in the store.
type Waiting struct {
	Documents []Awaited
	ReplyBy   time.Time // end of the last day to reply; zero if no date is known
	Opened    time.Time // when these documents were requested
	News      time.Time // when a document was last requested or received
	Closed    bool      // the person closed the matter
	Over      bool      // it has ended, and nothing is awaited

	// Reminders. Histories from before there were reminders have none of these fields, and continue without them.
	RemindOf string      // the last day to reply, as an ISO date; "" if no reminder is needed
	Watched  time.Time   // since when that date has been known: reminders that were due before are not sent
	Reminded []int       // how many days before it the person was reminded
	Also     []Reminding // other reminders
}

// Reminding is a date of which a person is reminded (an ISO date), with the reminders sent so far: how many days
// before the date each was sent. An empty date means that none could be read; then the reminders ask for a date, and
// are counted in days after the notice arrived.
type Reminding struct {
	Day      string
	Reminded []int
}

// FollowUps stores the state of the wait for required documents. Implementations return ErrSuperseded for a
// conversation that no longer exists.
type FollowUps interface {
	// Wake tells the conversation's follow-up that something has changed, and starts it if it is not running.
	Wake(ctx context.Context, in FollowUpInput) error
	Waiting(ctx context.Context, in FollowUpInput) (Waiting, error)
	// EndFollowUp stores how the wait ended: complete, closed or expired. It returns false if there is something to
	// wait for again.
	EndFollowUp(ctx context.Context, in FollowUpInput, ending string) (bool, error)
	// Remind reminds the person once, a number of days before the date. Without a date, it asks for one.
	Remind(ctx context.Context, in FollowUpInput, day string, before int) error
}

// The ways in which a follow-up ends.
const (
	Complete      = "complete" // every document was received and reviewed
	ClosedByHuman = "closed"   // the person closed the matter
	Expired       = "expired"  // the reply date has passed, or nothing happened for a very long time
)

// changed is the name of the signal that wakes a follow-up.
const changed = "changed"

// FollowUpState is the result of an operator's query about a follow-up.
type FollowUpState struct {
	Waiting
	Needed, Uploaded, Reviewed int
}

// FollowUp waits, for weeks if necessary, until every required document of a conversation has been received and
// reviewed, the person has closed the matter, or the reply date has passed. It also reminds the person of that date,
// even if no documents are awaited. The store has the documents and the date; whatever changes them wakes the
// follow-up, which then checks again.
func FollowUp(ctx workflow.Context, in FollowUpInput) error {
	var state FollowUpState
	if err := workflow.SetQueryHandler(ctx, StateQuery, func() (FollowUpState, error) {
		return state, nil
	}); err != nil {
		return fmt.Errorf("set the state query: %w", err)
	}
	signals := workflow.GetSignalChannel(ctx, changed)
	for {
		var w Waiting
		if err := workflow.ExecuteLocalActivity(patient(ctx), a.LookAtFollowUp, in).Get(ctx, &w); err != nil {
			return gone(err)
		}
		day, due, next := w.reminders(workflow.Now(ctx))
		if due > 0 {
			if err := workflow.ExecuteLocalActivity(patient(ctx), a.Remind, in, day, due).Get(ctx, nil); err != nil {
				return gone(err)
			}
			continue
		}
		state = tally(w)
		if w.Over && next.IsZero() {
			return nil
		}
		if w.Over {
			workflow.SetCurrentDetails(ctx, "Nothing is waited for; reminds next at "+moment(next))
			if err := rest(ctx, in, signals, next); err != nil {
				return err
			}
			continue
		}
		until := w.News.Add(forgottenAfter)
		// A date that had already passed when the documents were requested does not end the wait: a late reply needs
		// them too.
		if w.ReplyBy.After(w.Opened) && w.ReplyBy.Before(until) {
			until = w.ReplyBy
		}
		workflow.SetCurrentDetails(ctx, state.words(until))
		ending := ""
		switch {
		case w.Closed:
			ending = ClosedByHuman
		case state.Needed+state.Uploaded == 0:
			ending = Complete
		case !workflow.Now(ctx).Before(until):
			ending = Expired
		}
		if ending != "" {
			var ended bool
			err := workflow.ExecuteLocalActivity(patient(ctx), a.EndFollowUp, in, ending).Get(ctx, &ended)
			if err != nil || ended && next.IsZero() && !woken(signals) {
				return gone(err)
			}
			continue // it was reopened, is being woken now, or must still remind
		}
		if !next.IsZero() && next.Before(until) {
			until = next
		}
		if err := rest(ctx, in, signals, until); err != nil {
			return err
		}
	}
}

// rest waits, or continues as a new run if the history of this one has become long.
func rest(ctx workflow.Context, in FollowUpInput, signals workflow.ReceiveChannel, until time.Time) error {
	if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
		return workflow.NewContinueAsNewError(ctx, FollowUp, in)
	}
	return wait(ctx, signals, until)
}

// reminders returns which reminder is due now: its date, and how many days before it (0 for none); and when the next
// reminder of any date will be, zero if there is none.
func (w Waiting) reminders(now time.Time) (day string, due int, next time.Time) {
	all := w.Also
	if w.RemindOf != "" {
		all = append([]Reminding{{w.RemindOf, w.Reminded}}, all...)
	}
	for _, r := range all {
		its, then := r.due(now, w.Watched)
		if its > 0 && due == 0 {
			day, due = r.Day, its
		}
		if next.IsZero() || !then.IsZero() && then.Before(next) {
			next = then
		}
	}
	return day, due, next
}

// due returns which of a date's reminders is due (0 for none), and when the next one will be. If several became due
// while nothing was running, only the last is sent.
func (r Reminding) due(now, watched time.Time) (due int, next time.Time) {
	times, over := remindBefore, time.Time{}
	at := func(days int) time.Time { // for the reminders that ask for a date
		return watched.Add(indiaAhead).Truncate(24*time.Hour).AddDate(0, 0, days).Add(remindHour - indiaAhead)
	}
	if r.Day == "" {
		times = remindAfter
	} else {
		day, err := time.Parse(time.DateOnly, r.Day)
		if err != nil {
			return 0, time.Time{}
		}
		over = day.Add(24*time.Hour - indiaAhead)
		at = func(days int) time.Time { return day.AddDate(0, 0, -days).Add(remindHour - indiaAhead) }
	}
	for _, days := range times {
		switch at := at(days); {
		case now.Before(at):
			if next.IsZero() {
				next = at
			}
		case at.After(watched) && (over.IsZero() || now.Before(over)):
			due = days
		}
	}
	if slices.Contains(r.Reminded, due) {
		due = 0
	}
	return due, next
}

// wait returns when the follow-up is woken or the time has come. It returns an error if an operator cancelled the
// workflow; the next document starts it again.
func wait(ctx workflow.Context, signals workflow.ReceiveChannel, until time.Time) error {
	timing, cancel := workflow.WithCancel(ctx)
	defer cancel()
	workflow.NewSelector(ctx).
		AddReceive(signals, func(c workflow.ReceiveChannel, _ bool) { c.Receive(ctx, nil) }).
		AddReceive(ctx.Done(), func(workflow.ReceiveChannel, bool) {}).
		AddFuture(workflow.NewTimer(timing, until.Sub(workflow.Now(ctx))), func(workflow.Future) {}).
		Select(ctx)
	woken(signals) // signals that arrived together are handled once
	return ctx.Err()
}

// woken receives all pending signals, and reports whether there was any.
func woken(signals workflow.ReceiveChannel) bool {
	any := false
	for signals.ReceiveAsync(nil) {
		any = true
	}
	return any
}

// gone returns nil for the error about an erased conversation, and any other error unchanged.
func gone(err error) error {
	var failure *temporal.ApplicationError
	if errors.As(err, &failure) && failure.Type() == superseded {
		return nil
	}
	return err
}

func tally(w Waiting) FollowUpState {
	s := FollowUpState{Waiting: w}
	for _, d := range w.Documents {
		switch d.State {
		case "reviewed":
			s.Reviewed++
		case "uploaded":
			s.Uploaded++
		default:
			s.Needed++
		}
	}
	return s
}

// words describes the state of a follow-up, for Temporal's Web UI.
func (s FollowUpState) words(until time.Time) string {
	return fmt.Sprintf("%d of %d documents reviewed, %d in review, %d awaited; waits until %s",
		s.Reviewed, len(s.Documents), s.Uploaded, s.Needed, moment(until))
}

func moment(t time.Time) string { return t.In(time.UTC).Format("2 January 2006 15:04 MST") }

// LookAtFollowUp returns the state of the wait.
func (a *Activities) LookAtFollowUp(ctx context.Context, in FollowUpInput) (Waiting, error) {
	w, err := a.FollowUps.Waiting(ctx, in)
	return w, a.refuse(ctx, "look", err)
}

// EndFollowUp stores how the wait ended; false means that there is something to wait for again.
func (a *Activities) EndFollowUp(ctx context.Context, in FollowUpInput, ending string) (bool, error) {
	ended, err := a.FollowUps.EndFollowUp(ctx, in, ending)
	return ended, a.refuse(ctx, "end", err)
}

// Remind reminds the person of the date, or asks for one.
func (a *Activities) Remind(ctx context.Context, in FollowUpInput, day string, before int) error {
	return a.refuse(ctx, "remind", a.FollowUps.Remind(ctx, in, day, before))
}
