package app_test

import (
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"munshi/config"
	"munshi/orchestrator/model/modeltest"
)

// A process that is asked to stop leaves its work to others: three processes of the product, one after the other.
func TestHandover(t *testing.T) {
	model := withModel(t, &modeltest.Server{})
	p := startAlone(t, func(c *config.Config) {
		model(c)
		c.Server.ShutdownTime = time.Hour // if the stop waited for something, the test would notice
	})
	other := p.beside(nil)
	other.serve()
	t.Run("streams", func(t *testing.T) { streamsMoveOn(t, p, other) })
	hasty := p.beside(func(c *config.Config) { c.Server.ShutdownTime = 50 * time.Millisecond })
	t.Run("a worker finishes", func(t *testing.T) { workerFinishes(t, p, hasty, other) })
	t.Run("a worker hands over", func(t *testing.T) { workerHandsOver(t, hasty, other) })
	for _, queue := range []string{config.QueueTurns, config.QueueReading} {
		one := p.beside(func(c *config.Config) { c.Worker.Queues = []string{queue} })
		t.Run("a worker of the queue "+queue, func(t *testing.T) { workerPollsOneQueue(t, one.with(t), queue) })
	}
}

// An API that is asked to stop closes its streams at once; the browser reconnects to another process, and
// misses nothing.
func streamsMoveOn(t *testing.T, p, other *product) {
	fake := &modeltest.Server{TokenDelay: 10 * time.Millisecond}
	withModel(t, fake)
	v := p.with(t).visitor()
	c := v.converse()
	turn := v.say(c, "Tell me everything.")
	var text, last string
	pieces := 0
	s := v.follow(c, "")
	for e := range s.events {
		if text, last = gather(t, e, text, last); e.name == "text" {
			if pieces++; pieces == 3 {
				p.parts[1].end(t) // returns when the last request has ended
			}
		}
	}
	if pieces < 3 {
		t.Fatalf("the stream ended after %d pieces", pieces)
	}
	v.address = other.address
	if d := v.detail(c); d.Turn.State != "running" {
		t.Fatalf("when the stream ended the turn was %s: it should be in the middle", d.Turn.State)
	}
	s = v.follow(c, last)
	for e := range s.events {
		if e.name == "snapshot" {
			t.Error("the other API began anew")
		}
		text, last = gather(t, e, text, last)
		if now := e.turn(); now != nil && now.State == "answered" {
			break
		}
	}
	if kept := v.answer(c, turn); text != kept.Text || text != modeltest.Answer(fake.Requests()[0]) {
		t.Errorf("read at two APIs %q\nkept %q", text, kept.Text)
	}
}

// A worker that is asked to stop finishes the call that it has begun; another one does the rest, and the model is not
// asked again.
func workerFinishes(t *testing.T, p, next, served *product) {
	asked, gate := make(chan struct{}, 1), make(chan struct{})
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		asked <- struct{}{}
		<-gate
		return "An answer worth its price."
	}}
	withModel(t, fake)
	v := served.with(t).visitor()
	c := v.converse()
	turn := v.say(c, "What is a show cause notice?")
	<-asked
	p.parts[0].stop()
	close(gate)
	p.parts[0].end(t)
	next.run("next worker", next.app.RunWorker)
	if answer := v.answer(c, turn); answer.Text != "An answer worth its price." || len(fake.Requests()) != 1 {
		t.Errorf("%d requests, answer %q", len(fake.Requests()), answer.Text)
	}
}

// A call that does not finish before the stopping worker's deadline is handed over: another worker asks again, and
// the text that the first one had streamed is discarded.
func workerHandsOver(t *testing.T, hasty, next *product) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{End: modeltest.Hang, After: 3})
	withModel(t, fake)
	v := next.with(t).visitor()
	c := v.converse()
	turn := v.say(c, "What is a show cause notice?")
	text, last := "", ""
	for e := range v.follow(c, "").events {
		if text, last = gather(t, e, text, last); text != "" {
			break
		}
	}
	hasty.parts[0].end(t)
	next.run("last worker", next.app.RunWorker)
	if answer := v.answer(c, turn); len(fake.Requests()) != 2 || answer.Text != modeltest.Answer(fake.Requests()[1]) {
		t.Errorf("%d requests, answer %q", len(fake.Requests()), answer.Text)
	}
}

// A worker takes work only from the configured queues.
func workerPollsOneQueue(t *testing.T, p *product, queue string) {
	p.run("worker of one queue", p.app.RunWorker)
	operators := p.app.Telemetry.Handler(p.app.Health.Ready)
	polled := map[string]bool{}
	await(t, "it polls", func() bool {
		answer := httptest.NewRecorder()
		operators.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
		for _, m := range regexp.MustCompile(`(?m)^temporal_num_pollers{.*task_queue="munshi-(\w+)"`).FindAllStringSubmatch(answer.Body.String(), -1) {
			polled[m[1]] = true
		}
		return len(polled) > 0
	})
	if len(polled) != 1 || !polled[queue] {
		t.Errorf("it polls %v", polled)
	}
}
