package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"go.temporal.io/sdk/testsuite"

	"munshi/workflows"
)

// papers is what the store knows about one follow-up.
type papers struct {
	waiting workflows.Waiting
	endings []string
	looks   int
	clock   func() time.Time // of the workflow
	reminds []string
	reopen  func(*papers) // called once, when an ending is stored
}

func (p *papers) Wake(context.Context, workflows.FollowUpInput) error { return nil }

func (p *papers) Waiting(context.Context, workflows.FollowUpInput) (workflows.Waiting, error) {
	p.looks++
	if p.waiting.Opened.IsZero() {
		p.waiting.Opened, p.waiting.News = begun, begun
	}
	return p.waiting, nil
}

func (p *papers) EndFollowUp(_ context.Context, _ workflows.FollowUpInput, ending string) (bool, error) {
	if reopen := p.reopen; reopen != nil {
		p.reopen = nil
		reopen(p)
		return false, nil
	}
	p.endings = append(p.endings, ending)
	p.waiting.Over = true
	return true, nil
}

func (p *papers) Remind(_ context.Context, _ workflows.FollowUpInput, day string, before int) error {
	p.reminds = append(p.reminds, fmt.Sprintf("%s: %d days before %s", p.clock().Format("2 Jan 15:04"), before, day))
	for i := range p.waiting.Also {
		if also := &p.waiting.Also[i]; also.Day == day {
			also.Reminded = append(also.Reminded, before)
			return nil
		}
	}
	p.waiting.Reminded = append(p.waiting.Reminded, before)
	return nil
}

var begun = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// follow runs a follow-up from begun, with time passing as fast as possible; at has functions to call at times
// of the workflow's clock. It returns when the follow-up ended.
func follow(t *testing.T, p *papers, at map[time.Duration]func(env *testsuite.TestWorkflowEnvironment)) time.Time {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet)
	env := suite.NewTestWorkflowEnvironment()
	env.SetStartTime(begun)
	p.clock = func() time.Time { return env.Now().UTC() }
	env.SetTestTimeout(time.Minute) // for a busy machine
	env.SetWorkflowRunTimeout(2 * 365 * 24 * time.Hour)
	env.RegisterActivity(&workflows.Activities{FollowUps: p, Log: slog.New(slog.DiscardHandler)})
	for after, what := range at {
		env.RegisterDelayedCallback(func() { what(env) }, after)
	}
	env.ExecuteWorkflow(workflows.FollowUp, workflows.FollowUpInput{Workspace: "w", Conversation: "c"})
	if !env.IsWorkflowCompleted() {
		t.Fatal("the follow-up did not end")
	}
	if err := env.GetWorkflowError(); err != nil {
		t.Fatal(err)
	}
	return env.Now()
}

func documents(states ...string) []workflows.Awaited {
	list := make([]workflows.Awaited, len(states))
	for i, state := range states {
		list[i] = workflows.Awaited{ID: string(rune('a' + i)), State: state}
	}
	return list
}

const day = 24 * time.Hour

// A follow-up waits for weeks, learns of each document, and ends when the last one was reviewed.
func TestFollowUpWaitsForWeeks(t *testing.T) {
	p := &papers{waiting: workflows.Waiting{Documents: documents("needed", "needed"), ReplyBy: begun.Add(60 * day)}}
	var seen []workflows.FollowUpState
	news := func(states ...string) func(*testsuite.TestWorkflowEnvironment) {
		return func(env *testsuite.TestWorkflowEnvironment) {
			value, err := env.QueryWorkflow(workflows.StateQuery)
			if err != nil {
				t.Fatal(err)
			}
			var state workflows.FollowUpState
			if err := value.Get(&state); err != nil {
				t.Fatal(err)
			}
			seen = append(seen, state)
			p.waiting.Documents = documents(states...)
			env.SignalWorkflow("changed", nil)
		}
	}
	ended := follow(t, p, map[time.Duration]func(*testsuite.TestWorkflowEnvironment){
		7 * day:            news("uploaded", "needed"),
		7*day + time.Hour:  news("reviewed", "needed"),
		21 * day:           news("reviewed", "uploaded"),
		21*day + time.Hour: news("reviewed", "reviewed"),
	})
	if len(p.endings) != 1 || p.endings[0] != workflows.Complete {
		t.Errorf("it ended as %v", p.endings)
	}
	if after := ended.Sub(begun); after != 21*day+time.Hour {
		t.Errorf("it ended after %v", after)
	}
	for i, want := range []workflows.FollowUpState{{Needed: 2}, {Needed: 1, Uploaded: 1}, {Needed: 1, Reviewed: 1}, {Uploaded: 1, Reviewed: 1}} {
		if got := seen[i]; got.Needed != want.Needed || got.Uploaded != want.Uploaded || got.Reviewed != want.Reviewed {
			t.Errorf("before change %d an operator sees %+v", i+1, got)
		}
	}
	if p.looks != 5 {
		t.Errorf("it looked %d times: once at first and once for each change is enough", p.looks)
	}
}

func TestFollowUpEndings(t *testing.T) {
	needed := documents("needed")
	for name, c := range map[string]struct {
		waiting workflows.Waiting
		reopen  func(*papers)
		at      map[time.Duration]func(p *papers)
		want    string
		after   time.Duration
	}{
		"the reply date passes": {waiting: workflows.Waiting{Documents: needed, ReplyBy: begun.Add(30 * day)}, want: workflows.Expired, after: 30 * day},
		"a date that had passed ends nothing": {waiting: workflows.Waiting{Documents: needed, ReplyBy: begun.Add(-day)},
			want: workflows.Expired, after: 180 * day},
		"a second notice that is late ends nothing": {waiting: workflows.Waiting{Documents: needed, ReplyBy: begun.Add(30 * day)}, want: workflows.Expired, after: 200 * day,
			at: map[time.Duration]func(*papers){20 * day: func(p *papers) {
				p.waiting.ReplyBy, p.waiting.Opened, p.waiting.News = begun.Add(10*day), begun.Add(20*day), begun.Add(20*day)
			}}},
		"started again after its date": {waiting: workflows.Waiting{Documents: needed, Opened: begun.Add(-40 * day), News: begun.Add(-40 * day), ReplyBy: begun.Add(-day)},
			want: workflows.Expired, after: 0},
		"no date, and nothing comes": {waiting: workflows.Waiting{Documents: needed}, want: workflows.Expired, after: 180 * day},
		"no date, and news once": {waiting: workflows.Waiting{Documents: documents("needed", "needed")}, want: workflows.Expired, after: 280 * day,
			at: map[time.Duration]func(*papers){100 * day: func(p *papers) {
				p.waiting.Documents, p.waiting.News = documents("reviewed", "needed"), begun.Add(100*day)
			}}},
		"closed by the person": {waiting: workflows.Waiting{Documents: needed, ReplyBy: begun.Add(30 * day)}, want: workflows.ClosedByHuman, after: 3 * day,
			at: map[time.Duration]func(*papers){3 * day: func(p *papers) { p.waiting.Closed = true }}},
		"a new notice moves the date": {waiting: workflows.Waiting{Documents: needed, ReplyBy: begun.Add(30 * day)}, want: workflows.Expired, after: 50 * day,
			at: map[time.Duration]func(*papers){20 * day: func(p *papers) { p.waiting.ReplyBy = begun.Add(50 * day) }}},
		"asked again while it ends": {waiting: workflows.Waiting{Documents: needed, Closed: true, ReplyBy: begun.Add(30 * day)}, want: workflows.Expired, after: 30 * day,
			reopen: func(p *papers) { p.waiting.Closed = false }},
	} {
		t.Run(name, func(t *testing.T) {
			p := &papers{waiting: c.waiting, reopen: c.reopen}
			at := map[time.Duration]func(*testsuite.TestWorkflowEnvironment){}
			for after, change := range c.at {
				at[after] = func(env *testsuite.TestWorkflowEnvironment) {
					change(p)
					env.SignalWorkflow("changed", nil)
				}
			}
			ended := follow(t, p, at)
			if len(p.endings) != 1 || p.endings[0] != c.want {
				t.Errorf("it ended as %v, want %s", p.endings, c.want)
			}
			if after := ended.Sub(begun); after != c.after {
				t.Errorf("it ended after %v, want %v", after, c.after)
			}
		})
	}
}

// A follow-up also reminds the person of a hearing, and asks for the date of a notice in which none was read.
// Reminders are sent at nine in the morning in India, 7, 3 and 1 days before the last day to reply, whether or not it
// waits for documents; reminders that were due before the date was known are not sent later.
func TestFollowUpReminds(t *testing.T) {
	watch := func(day string) workflows.Waiting {
		return workflows.Waiting{RemindOf: day, Watched: begun, Opened: begun, News: begun, Over: true}
	}
	also := func(day, other string) workflows.Waiting {
		w := watch(day)
		w.Also = []workflows.Reminding{{Day: other}}
		return w
	}
	waits := watch("2026-03-20")
	waits.Over, waits.Documents, waits.ReplyBy = false, documents("needed"), time.Date(2026, 3, 20, 18, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		waiting workflows.Waiting
		at      map[time.Duration]func(p *papers)
		want    []string
		endings []string
		ends    string
	}{
		"nothing is waited for": {waiting: watch("2026-03-20"), ends: "19 Mar 03:30",
			want: []string{"13 Mar 03:30: 7 days before 2026-03-20", "17 Mar 03:30: 3 days before 2026-03-20", "19 Mar 03:30: 1 days before 2026-03-20"}},
		"documents are waited for": {waiting: waits, ends: "20 Mar 18:30", endings: []string{workflows.Expired},
			want: []string{"13 Mar 03:30: 7 days before 2026-03-20", "17 Mar 03:30: 3 days before 2026-03-20", "19 Mar 03:30: 1 days before 2026-03-20"}},
		"the last document is reviewed": {waiting: waits, ends: "19 Mar 03:30", endings: []string{workflows.Complete},
			at:   map[time.Duration]func(p *papers){12 * day: func(p *papers) { p.waiting.Documents = documents("reviewed") }},
			want: []string{"13 Mar 03:30: 7 days before 2026-03-20", "17 Mar 03:30: 3 days before 2026-03-20", "19 Mar 03:30: 1 days before 2026-03-20"}},
		"a hearing before it": {waiting: also("2026-03-20", "2026-03-12"), ends: "19 Mar 03:30",
			want: []string{"5 Mar 03:30: 7 days before 2026-03-12", "9 Mar 03:30: 3 days before 2026-03-12", "11 Mar 03:30: 1 days before 2026-03-12",
				"13 Mar 03:30: 7 days before 2026-03-20", "17 Mar 03:30: 3 days before 2026-03-20", "19 Mar 03:30: 1 days before 2026-03-20"}},
		"a hearing after it": {waiting: also("2026-03-04", "2026-03-06"), ends: "5 Mar 03:30",
			want: []string{"3 Mar 03:30: 1 days before 2026-03-04", "3 Mar 03:30: 3 days before 2026-03-06", "5 Mar 03:30: 1 days before 2026-03-06"}},
		"no date could be read": {waiting: also("", ""), ends: "9 Mar 03:30",
			want: []string{"3 Mar 03:30: 1 days before ", "5 Mar 03:30: 3 days before ", "9 Mar 03:30: 7 days before "}},
		"it came late":    {waiting: watch("2026-03-04"), ends: "3 Mar 03:30", want: []string{"3 Mar 03:30: 1 days before 2026-03-04"}},
		"the day is over": {waiting: watch("2026-03-01"), ends: "2 Mar 10:00"},
		"it is answered": {waiting: watch("2026-03-20"), ends: "14 Mar 10:00", want: []string{"13 Mar 03:30: 7 days before 2026-03-20"},
			at: map[time.Duration]func(p *papers){12 * day: func(p *papers) { p.waiting.RemindOf = "" }}},
		"the day is corrected to one that is near": {waiting: watch("2026-04-30"), ends: "13 Mar 03:30",
			at:   map[time.Duration]func(p *papers){9*day + time.Hour: func(p *papers) { p.waiting.RemindOf, p.waiting.Watched = "2026-03-14", begun }},
			want: []string{"11 Mar 11:00: 3 days before 2026-03-14", "13 Mar 03:30: 1 days before 2026-03-14"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &papers{waiting: c.waiting}
			at := map[time.Duration]func(*testsuite.TestWorkflowEnvironment){}
			for after, change := range c.at {
				at[after] = func(env *testsuite.TestWorkflowEnvironment) {
					change(p)
					env.SignalWorkflow("changed", nil)
				}
			}
			ended := follow(t, p, at).UTC().Format("2 Jan 15:04")
			if !slices.Equal(p.reminds, c.want) || !slices.Equal(p.endings, c.endings) || ended != c.ends {
				t.Errorf("it reminded %q and ended %s as %v, want %q, %s, %v", p.reminds, ended, p.endings, c.want, c.ends, c.endings)
			}
		})
	}
}

// A follow-up of an erased conversation ends without an error.
func TestFollowUpOfWhatIsGone(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet)
	env := suite.NewTestWorkflowEnvironment()
	a := &workflows.Activities{FollowUps: erased{}, Log: slog.New(slog.DiscardHandler)}
	env.RegisterActivity(a)
	env.ExecuteWorkflow(workflows.FollowUp, workflows.FollowUpInput{Workspace: "w", Conversation: "c"})
	if err := env.GetWorkflowError(); err != nil || !env.IsWorkflowCompleted() {
		t.Errorf("it ended with %v", err)
	}
}

type erased struct{ *papers }

func (erased) Waiting(context.Context, workflows.FollowUpInput) (workflows.Waiting, error) {
	return workflows.Waiting{}, errors.Join(workflows.ErrSuperseded, errors.New("not found"))
}

// If an operator cancels a follow-up, the workflow ends, but not the matter.
func TestFollowUpCancelled(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet)
	env := suite.NewTestWorkflowEnvironment()
	env.SetStartTime(begun)
	p := &papers{waiting: workflows.Waiting{Documents: documents("needed")}}
	env.RegisterActivity(&workflows.Activities{FollowUps: p, Log: slog.New(slog.DiscardHandler)})
	env.RegisterDelayedCallback(env.CancelWorkflow, day)
	env.ExecuteWorkflow(workflows.FollowUp, workflows.FollowUpInput{Workspace: "w", Conversation: "c"})
	if err := env.GetWorkflowError(); err == nil || len(p.endings) != 0 {
		t.Errorf("it ended with %v, noted %v", err, p.endings)
	}
}
