//go:build linux

package app_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"munshi/orchestrator/api"
	"munshi/workflows"
)

// job is a kind of turn that is killed at each of its steps.
type job struct {
	name string
	// places where a turn can be stopped, in order (see holds.hold). "stream" is in the middle of the model's answer;
	// "accepted", which must be the last, is where the API has stored the turn but neither started nor answered it
	places []string
	prompt string // the place where the model's answer is stored
	before func(ctx context.Context, b *browser, conversation string) error
	ask    func(ctx context.Context, b *browser, conversation, mark string) (api.Turn, error)
}

var analysisJob = job{
	name: "analysis", prompt: "analyse",
	places: []string{"begin", "page", "extract", "facts", "stream", "analyse", "check", "required", "end"},
	ask: func(ctx context.Context, b *browser, conversation, mark string) (api.Turn, error) {
		return b.hand(ctx, conversation, "", paper(mark))
	},
}

var chatJob = job{
	name: "chat", prompt: "answer",
	places: []string{"begin", "stream", "answer", "check", "required", "end"},
	before: analysed,
	ask: func(ctx context.Context, b *browser, conversation, mark string) (api.Turn, error) {
		return b.say(ctx, conversation, "What about "+mark+"?")
	},
}

// analysed uploads a notice to the conversation and waits for its analysis.
func analysed(ctx context.Context, b *browser, conversation string) error {
	mark := newMark()
	turn, err := b.hand(ctx, conversation, "", paper(mark))
	if err != nil {
		return err
	}
	text, d, err := b.follow(ctx, conversation, turn.ID)
	if err != nil {
		return err
	}
	return answered(d, turn.ID, mark, text)
}

// attempt is one turn of a job.
type attempt struct {
	place, conversation, mark string
	browser                   *browser
	gate                      *gate
	turn                      api.Turn
	err                       error
	done                      chan struct{} // closed when it has ended
}

// begin sends a question, and waits for the answer.
func (c *cluster) begin(j job, place string, prepare func(*attempt)) *attempt {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 2*time.Minute)
	c.t.Cleanup(cancel)
	a := &attempt{place: place, browser: newBrowser(c.addresses()), mark: newMark(), done: make(chan struct{})}
	a.conversation, a.err = a.browser.converse(ctx)
	if a.err == nil && j.before != nil {
		a.err = j.before(ctx, a.browser, a.conversation)
	}
	must(c.t, a.err)
	a.mark = newMark() // greater than all earlier marks
	prepare(a)
	go func() {
		defer close(a.done)
		if a.turn, a.err = j.ask(ctx, a.browser, a.conversation, a.mark); a.err != nil {
			return
		}
		text, d, err := a.browser.follow(ctx, a.conversation, a.turn.ID)
		if a.err = err; err == nil {
			a.err = answered(d, a.turn.ID, a.mark, text)
		}
	}()
	return a
}

// killing is a way to kill some processes of the cluster.
type killing struct {
	name  string
	kill  func()
	asks  int  // how often the model may be asked a question that was not finished
	loses bool // the end of the streamed text may be lost
}

// killings has one way for each part, and one for all parts at once.
func (c *cluster) killings() (worker, api, temporal, postgres, everything killing) {
	worker = killing{name: "worker", kill: func() { restart(c.workers) }, asks: 2}
	api = killing{name: "API", kill: func() { restart(c.serves) }, asks: 1}
	temporal = killing{name: "Temporal", kill: c.temporal.kill, asks: 1}
	postgres = killing{name: "PostgreSQL", kill: c.postgres.kill, asks: 1, loses: true}
	everything = killing{name: "everything", asks: 2, loses: true, kill: func() {
		var killed sync.WaitGroup
		for _, kill := range []func(){worker.kill, api.kill, temporal.kill, postgres.kill} {
			killed.Go(kill)
		}
		killed.Wait()
	}}
	return worker, api, temporal, postgres, everything
}

// restart kills processes together and starts them again.
func restart(processes []*process) {
	var killed sync.WaitGroup
	for _, p := range processes {
		killed.Go(p.kill)
	}
	killed.Wait()
	for _, p := range processes {
		p.start()
	}
}

// followUp waits until the conversation's follow-up and the store agree, and returns their state.
func (c *cluster) followUp(conversation string) (is string) {
	c.t.Helper()
	kept := ""
	defer func() {
		if c.t.Failed() {
			c.t.Logf("the follow-up says %q, the store %q", is, kept)
		}
	}()
	await(c.t, "a follow-up says what the store does", func() bool {
		ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
		defer cancel()
		rows, err := c.query(ctx, `select format('%s: %s documents, %s reviewed', f.state, count(r), count(r) filter (where exists (
				select from turns t where t.document_id = r.document_id and t.state = 'answered')))
			from follow_ups f left join required_documents r on r.conversation_id = f.conversation_id where f.conversation_id = $1 group by f.state`, conversation)
		must(c.t, err)
		kept = strings.Join(rows, "\n")
		value, err := c.client.QueryWorkflow(ctx, workflows.FollowUpWorkflowID(conversation), "", workflows.StateQuery)
		if err != nil {
			return false
		}
		run, err := c.client.DescribeWorkflowExecution(ctx, workflows.FollowUpWorkflowID(conversation), "")
		if err != nil {
			return false
		}
		state := map[enums.WorkflowExecutionStatus]string{enums.WORKFLOW_EXECUTION_STATUS_RUNNING: "waiting", enums.WORKFLOW_EXECUTION_STATUS_COMPLETED: workflows.Complete}
		var s workflows.FollowUpState
		must(c.t, value.Get(&s))
		is = fmt.Sprintf("%s: %d documents, %d reviewed", state[run.GetWorkflowExecutionInfo().GetStatus()], s.Needed+s.Uploaded+s.Reviewed, s.Reviewed)
		return is == kept
	})
	return is
}

// atEveryStep stops one turn at each of the places, kills processes, and compares the result of each turn with that of
// an undisturbed one. It returns how often the model was asked again.
func (c *cluster) atEveryStep(t *testing.T, j job, places []string, k killing) (asked int) {
	t.Helper()
	calm := c.begin(j, "", func(*attempt) {})
	<-calm.done
	must(t, calm.err)
	want, waiting := c.kept(calm.conversation), c.followUp(calm.conversation)
	if n := c.model.times(calm.mark); n != 1 {
		t.Errorf("undisturbed, the model was asked %d times", n)
	}
	h := c.holds()
	defer h.release()
	var attempts []*attempt
	for _, place := range places {
		a := c.begin(j, place, func(a *attempt) {
			switch place {
			case "stream":
				a.gate = c.model.hold(a.mark)
			case "accepted":
				c.temporal.signal(syscall.SIGSTOP)
			default:
				h.hold(a.conversation, place)
			}
		})
		switch place {
		case "stream":
			select {
			case <-a.gate.reached:
			case <-a.done:
				t.Fatalf("the turn ended before it was held: %v", a.err)
			}
		case "accepted":
			await(t, "a turn is accepted", func() bool {
				turns, err := c.query(t.Context(), "select id::text from turns where conversation_id = $1", a.conversation)
				must(t, err)
				return len(turns) > 0
			})
			defer c.temporal.signal(syscall.SIGCONT) // even if the test ends early
		default:
			h.await(a.conversation, place)
		}
		attempts = append(attempts, a)
	}
	k.kill()
	c.temporal.signal(syscall.SIGCONT)
	h.release()
	for _, a := range attempts {
		if a.gate != nil {
			close(a.gate.open)
		}
	}
	for _, a := range attempts {
		<-a.done
		if a.err != nil && !(k.loses && cutShort(a.err)) {
			t.Errorf("killed at %s: %v", a.place, a.err)
			continue
		}
		if got := c.kept(a.conversation); got != want {
			t.Errorf("killed at %s, the store differs from an undisturbed run's:\n%s", a.place, difference(want, got))
		}
		if got := c.followUp(a.conversation); got != waiting {
			t.Errorf("killed at %s, the follow-up is %s; undisturbed, %s", a.place, got, waiting)
		}
		most := 1
		if a.place == "stream" || a.place == j.prompt {
			most = k.asks
		}
		n := c.model.times(a.mark)
		if n < 1 || n > most {
			t.Errorf("killed at %s, the model was asked %d times, want at most %d", a.place, n, most)
		}
		asked += n - 1
	}
	return asked
}

// Whichever process is killed, and wherever: the turn ends once, with one answer, and the store has the same content
// as after an undisturbed run. TestSoakKills kills each process at every step of every kind of turn; here a worker is
// killed while it reads, while the model answers, just after the answer was stored, and at the very end.
func TestKills(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, 2)
	worker, api, temporal, postgres, _ := c.killings()
	for _, k := range []struct {
		killing
		job    job
		places []string
	}{
		{worker, analysisJob, []string{"page", "stream", "analyse", "end"}},
		{api, analysisJob, []string{"accept", "stream", "accepted"}},
		{postgres, chatJob, []string{"stream"}},
		{temporal, chatJob, []string{"stream"}},
	} {
		t.Run(k.name, func(t *testing.T) { c.atEveryStep(t, k.job, k.places, k.killing) })
	}
	t.Run("worker and Temporal, that never heard", func(t *testing.T) { neverHeard(t, c) })
	t.Run("each of two", func(t *testing.T) { eachOfTwo(t, c) })
	t.Run("a batch", func(t *testing.T) { batchKilled(t, c) })
}

// neverHeard kills the worker when it has ended the turn but Temporal, which is killed too, does not know this yet:
// the step runs once more, and finds nothing left to do.
func neverHeard(t *testing.T, c *cluster) {
	a := c.begin(chatJob, "stream", func(a *attempt) { a.gate = c.model.hold(a.mark) })
	<-a.gate.reached
	c.temporal.signal(syscall.SIGSTOP)
	defer c.temporal.signal(syscall.SIGCONT) // in case the test ends early
	close(a.gate.open)
	<-a.done
	must(t, a.err)
	want := c.kept(a.conversation)
	worker, _, temporal, _, _ := c.killings()
	temporal.kill()
	worker.kill()
	await(t, "the turn's workflow ends", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		run, err := c.client.DescribeWorkflowExecution(ctx, workflows.TurnWorkflowID(a.turn.ID), "")
		return err == nil && run.GetWorkflowExecutionInfo().GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
	})
	if got := c.kept(a.conversation); got != want {
		t.Errorf("the turn was changed after it had ended:\n%s", difference(want, got))
	}
	if n := c.model.times(a.mark); n != 1 {
		t.Errorf("the model was asked %d times for an answer that was kept", n)
	}
}

// eachOfTwo continues a conversation with either of two APIs and either of two workers.
func eachOfTwo(t *testing.T, c *cluster) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	b := newBrowser(c.addresses())
	conversation, err := b.converse(ctx)
	must(t, err)
	must(t, analysed(ctx, b, conversation))
	for _, other := range c.workers {
		other.kill() // the other API takes the next turn
		mark := newMark()
		turn, err := b.say(ctx, conversation, "What about "+mark+"?")
		must(t, err)
		text, d, err := b.follow(ctx, conversation, turn.ID)
		must(t, err)
		must(t, answered(d, turn.ID, mark, text))
		other.start()
	}
	for _, other := range c.serves {
		other.kill()
		mark := newMark()
		turn, err := b.hand(ctx, conversation, registerType, paper(mark))
		must(t, err)
		text, d, err := b.follow(ctx, conversation, turn.ID)
		must(t, err)
		must(t, answered(d, turn.ID, mark, text))
		if len(d.Messages)%2 != 0 || !strings.Contains(d.Title, "DRC-01") {
			t.Errorf("%d messages under %q", len(d.Messages), d.Title)
		}
		other.start()
		c.awaitAPIs()
	}
}
