//go:build soak && linux

package app_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"munshi/orchestrator/api"
)

var killTime = flag.Duration("kills", 5*time.Minute, "how long things are killed at random")

var documentJob = job{
	name: "follow-up review", prompt: "review", // the last step that the test waits for: it ends the follow-up
	places: []string{"begin", "page", "extract", "stream", "review", "check", "required", "end", "complete"},
	before: analysed,
	ask: func(ctx context.Context, b *browser, conversation, mark string) (api.Turn, error) {
		return b.hand(ctx, conversation, registerType, paper(mark))
	},
}

// away kills the server and keeps it down until start.
func (s *keptServer) away() {
	s.kill()
	s.stop()
}

// Every part, and all parts at once, are killed at every step of every kind of turn.
func TestSoakKills(t *testing.T) {
	c := startCluster(t, 2, 2)
	worker, api, temporal, postgres, everything := c.killings()
	for _, j := range []job{analysisJob, documentJob, chatJob} {
		asked, turns := map[string]int{}, 0
		for _, k := range []killing{worker, api, temporal, postgres, everything} {
			places := j.places
			if k.name == api.name {
				places = slices.Concat([]string{"accept"}, places, []string{"accepted"})
			}
			t.Run(j.name+"/"+k.name, func(t *testing.T) { asked[k.name] = c.atEveryStep(t, j, places, k) })
			turns += len(places)
		}
		fmt.Printf("kill -9 of worker, API, Temporal, PostgreSQL and all at once at each step of %-15s %d turns, each answered once: %v; the model was asked again %v\n",
			j.name+":", turns, !t.Failed(), asked)
	}
}

// question is what a person asked and the API accepted.
type question struct {
	conversation, turn, mark string
	waited                   time.Duration
}

// chat asks one question after another until the time is over, and returns the questions. The error names a
// question that was not answered.
func (c *cluster) chat(ctx context.Context, b *browser, conversation string, until time.Time) (all []question, err error) {
	for time.Now().Before(until) {
		q := question{conversation: conversation, mark: newMark()}
		began := time.Now()
		turn, err := b.say(ctx, conversation, "What about "+q.mark+"?")
		if err != nil {
			return all, err
		}
		q.turn = turn.ID
		text, d, err := b.follow(ctx, conversation, turn.ID)
		if err == nil {
			err = answered(d, turn.ID, q.mark, text)
		}
		if err != nil && !cutShort(err) {
			return all, err
		}
		q.waited = time.Since(began)
		all = append(all, q)
	}
	return all, nil
}

// crowd lets several people chat until the time is over, and returns their questions.
func (c *cluster) crowd(people int, until time.Time) (asked []question, refused, broken int64) {
	ctx, cancel := context.WithDeadline(c.t.Context(), until.Add(3*time.Minute))
	defer cancel()
	var (
		group errgroup.Group
		mu    sync.Mutex
	)
	for range people {
		group.Go(func() error {
			b := newBrowser(c.addresses())
			conversation, err := b.converse(ctx)
			if err != nil {
				return err
			}
			all, err := c.chat(ctx, b, conversation, until)
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, all...)
			refused, broken = refused+b.refused.Load(), broken+b.broken.Load()
			if err != nil {
				c.t.Error(err)
			}
			return nil
		})
	}
	must(c.t, group.Wait())
	return asked, refused, broken
}

// settle checks the whole store: each question is there once, each turn is answered once and counts as one use, and
// nothing else is there. It returns the number of turns.
func (c *cluster) settle(asked []question) int {
	t := c.t
	t.Helper()
	rows, err := c.query(t.Context(), `select jsonb_build_array(t.id, t.state, t.error_code,
			(select count(*) from messages m where m.turn_id = t.id and m.role = 'user'),
			(select count(*) from messages m where m.turn_id = t.id and m.role = 'assistant' and m.state = 'complete'),
			(select count(*) from messages m where m.turn_id = t.id))::text from turns t order by t.created_at`)
	must(t, err)
	there := map[string]bool{}
	for _, row := range rows {
		var id, state, code string
		var questions, answers, messages int
		must(t, json.Unmarshal([]byte(row), &[]any{&id, &state, &code, &questions, &answers, &messages}))
		there[id] = true
		if state != "answered" || questions != 1 || answers != 1 || messages != 2 {
			t.Errorf("turn %s is %s %s with %d questions, %d answers, %d messages", id, state, code, questions, answers, messages)
		}
	}
	miscounted, err := c.query(t.Context(), `select format('%s counts %s uses', s.workspace_id, s.usage_count) from subscriptions s
		where s.usage_count <> (select count(*) from turns t join uses u on u.turn_id = t.id and u.state = 'settled' where t.workspace_id = s.workspace_id)`)
	must(t, err)
	for _, row := range miscounted {
		t.Errorf("workspace %s, which is not the number of its answered turns", row)
	}
	stand, err := c.query(t.Context(), "select text from messages where role = 'user'")
	must(t, err)
	marks := map[string]int{}
	for _, text := range stand {
		marks[anyMark.FindString(text)]++
	}
	for _, q := range asked {
		if !there[q.turn] || marks[q.mark] != 1 {
			t.Errorf("the question of turn %s, on %s, is there: %v; it stands %d times", q.turn, q.mark, there[q.turn], marks[q.mark])
		}
	}
	return len(rows)
}

// askedAgain returns how many questions the model was asked more than once, and the highest number of times.
func (c *cluster) askedAgain() (questions, most int) {
	c.model.mu.Lock()
	defer c.model.mu.Unlock()
	for _, n := range c.model.asked {
		if n > 1 {
			questions++
		}
		most = max(most, n)
	}
	return questions, most
}

func longest(asked []question) time.Duration {
	return slices.MaxFunc(append(asked, question{}), func(a, b question) int { return cmp.Compare(a.waited, b.waited) }).waited
}

// One process of each kind is killed under a load of 32 people, while the other one continues.
func TestSoakTwoOfEach(t *testing.T) {
	c := startCluster(t, 2, 2)
	c.model.TokenDelay = 2 * time.Millisecond
	until := time.Now().Add(time.Minute)
	killed := make(chan int)
	go func() {
		n := 0
		defer func() { killed <- n }()
		for {
			for _, p := range c.processes() {
				time.Sleep(3 * time.Second)
				if time.Now().After(until) {
					return
				}
				p.kill()
				n++
				time.Sleep(2 * time.Second)
				p.start()
			}
		}
	}()
	asked, refused, broken := c.crowd(32, until)
	kills, turns := <-killed, c.settle(asked)
	again, most := c.askedAgain()
	fmt.Printf("two APIs and two workers under 32 people for a minute, one killed every 5 s: %d kills, %d turns, each answered once: %v; longest wait %.1f s; %d requests cut off, %d refused, all made again; model asked again for %d, at most %d times\n",
		kills, turns, !t.Failed(), longest(asked).Seconds(), broken, refused, again, most)
}

// The database is killed while the model is silent and no connection is in use, and loses the last pieces of the
// text: the text still continues without a gap.
func TestSoakSilence(t *testing.T) {
	c := startCluster(t, 1, 1)
	for range 5 {
		a := c.begin(chatJob, "stream", func(a *attempt) { a.gate = c.model.hold(a.mark) })
		<-a.gate.reached
		await(t, "all that was written so far is stored", func() bool {
			pieces, err := c.query(t.Context(), "select seq::text from run_events where conversation_id = $1 and seq > 1 and turn_id = (select id from turns where conversation_id = $1 and state = 'running')", a.conversation)
			must(t, err)
			return len(pieces) > 0
		})
		c.postgres.kill()
		_, err := c.query(t.Context(), "select 'back'")
		must(t, err)
		time.Sleep(3 * time.Second) // connections are checked before use only if they were idle for a while
		close(a.gate.open)
		<-a.done
		must(t, a.err)
	}
}

// Processes are killed at random while thirty people chat and a notice is analysed.
func TestSoakRandomKills(t *testing.T) {
	c := startCluster(t, 2, 2)
	c.model.TokenDelay = 2 * time.Millisecond
	analysis := c.begin(analysisJob, "", func(a *attempt) { a.gate = c.model.hold(a.mark) })
	<-analysis.gate.reached // running when the first process is killed
	until := time.Now().Add(*killTime)
	kills := map[string]int{}
	var killing sync.WaitGroup
	killing.Go(func() {
		worker, api, temporal, postgres, everything := c.killings()
		for time.Now().Before(until) {
			time.Sleep(time.Duration(1+rand.IntN(4000)) * time.Millisecond)
			switch n := rand.IntN(20); {
			case n < 12:
				p := c.processes()[n%len(c.processes())]
				p.kill()
				time.Sleep(time.Duration(rand.IntN(2000)) * time.Millisecond)
				p.start()
				kills[strings.Fields(p.name)[0]]++
			default:
				k := []func(){temporal.kill, postgres.kill, temporal.kill, postgres.kill, worker.kill, api.kill, everything.kill, everything.kill}[n-12]
				k()
				kills[[]string{"temporal", "postgres", "temporal", "postgres", "both workers", "both APIs", "everything", "everything"}[n-12]]++
			}
		}
	})
	time.AfterFunc(*killTime/10, func() { close(analysis.gate.open) })
	asked, refused, broken := c.crowd(30, until)
	killing.Wait()
	<-analysis.done
	if analysis.err != nil && !cutShort(analysis.err) { // settle checks that its data in the store is complete
		t.Errorf("the analysis in flight: %v", analysis.err)
	}
	turns := c.settle(asked)
	again, most := c.askedAgain()
	fmt.Printf("killed at random for %v while 30 people chat and a notice is analysed: kills %v; %d turns, each answered once: %v; longest wait %.1f s; %d requests cut off, %d refused, all made again; model asked again for %d, at most %d times\n",
		*killTime, kills, turns, !t.Failed(), longest(asked).Seconds(), broken, refused, again, most)
}

// A server is down for a minute while people send questions: what is accepted is answered once; what is not
// accepted is refused with an explanation, and nothing of it is stored.
func TestSoakServersAway(t *testing.T) {
	c := startCluster(t, 2, 2)
	for _, s := range []*keptServer{c.postgres, c.temporal} {
		var (
			mu       sync.Mutex
			accepted []question
			refused  = map[string]string{} // the marks of questions, and the codes
			group    errgroup.Group
		)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		begin, over := make(chan struct{}), make(chan struct{})
		for range 30 {
			group.Go(func() error {
				b := newBrowser(c.addresses())
				conversation, err := b.converse(ctx)
				if err != nil {
					return err
				}
				<-begin
				for {
					select {
					case <-over:
						return nil
					case <-time.After(time.Duration(500+rand.IntN(1000)) * time.Millisecond):
					}
					mark := newMark()
					body, err := json.Marshal(map[string]string{"text": "What about " + mark + "?"})
					if err != nil {
						return err
					}
					status, raw, err := b.try(ctx, "POST", "/api/conversations/"+conversation+"/messages", "application/json", uuid.NewString(), body)
					if err != nil {
						return err
					}
					var turn api.Turn
					var problem api.Problem
					taken := false
					mu.Lock()
					switch {
					case status == 202 && json.Unmarshal(raw, &turn) == nil:
						accepted = append(accepted, question{conversation: conversation, turn: turn.ID, mark: mark})
						taken = s == c.temporal // this one waits for Temporal; the next question uses another server
					case status >= 400 && json.Unmarshal(raw, &problem) == nil && problem.Detail != "":
						refused[mark] = problem.Code
					default:
						c.t.Errorf("%s away: a question is answered by %d %s", s.name, status, raw)
					}
					mu.Unlock()
					if taken {
						if conversation, err = b.converse(ctx); err != nil {
							return err
						}
					}
				}
			})
		}
		close(begin)
		time.Sleep(2 * time.Second)
		s.away()
		time.Sleep(time.Minute)
		s.start()
		back := time.Now()
		time.Sleep(5 * time.Second)
		close(over)
		must(t, group.Wait())
		await(t, "every turn has ended", func() bool {
			open, err := c.query(ctx, "select id::text from turns where state in ('queued', 'running')")
			must(t, err)
			return len(open) == 0
		})
		after := time.Since(back)
		c.settle(accepted)
		texts, err := c.query(ctx, "select text from messages where role = 'user'")
		must(t, err)
		kept := 0
		codes := map[string]int{}
		for _, code := range refused {
			codes[code]++
		}
		for _, text := range texts {
			if _, was := refused[anyMark.FindString(text)]; was {
				kept++
			}
		}
		fmt.Printf("%s away for a minute while 30 people post: %d accepted, each answered once: %v, the last %.0f s after it was back; refused with a sentence: %v, of which answered all the same, since the database died between storing and saying so: %d\n",
			s.name, len(accepted), !t.Failed(), after.Seconds(), codes, kept)
	}
}
