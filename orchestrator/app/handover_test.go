package app_test

import (
	"testing"
	"time"

	"munshi/config"
	"munshi/orchestrator/model/modeltest"
)

// An API that is told to stop lets its streams go at once; the browser goes on at another, and misses nothing.
func TestStreamsMoveOn(t *testing.T) {
	fake := &modeltest.Server{TokenDelay: 10 * time.Millisecond}
	model := withModel(t, fake)
	p := startAlone(t, func(c *config.Config) {
		model(c)
		c.Server.ShutdownTime = time.Hour // a stream that were waited for would show
	})
	other := p.beside()
	other.serve()
	v := p.visitor()
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

// A worker that is told to stop finishes the call that it has begun; another does the rest, and the model is not asked
// again.
func TestWorkerFinishes(t *testing.T) {
	asked, gate := make(chan struct{}, 1), make(chan struct{})
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		asked <- struct{}{}
		<-gate
		return "An answer worth its price."
	}}
	model := withModel(t, fake)
	p := startAlone(t, func(c *config.Config) {
		model(c)
		c.Server.ShutdownTime = time.Minute
	})
	v := p.visitor()
	c := v.converse()
	turn := v.say(c, "What is a show cause notice?")
	<-asked
	p.parts[0].stop()
	close(gate)
	p.parts[0].end(t)
	other := p.beside()
	other.run("other worker", other.app.RunWorker)
	if answer := v.answer(c, turn); answer.Text != "An answer worth its price." || len(fake.Requests()) != 1 {
		t.Errorf("%d requests, answer %q", len(fake.Requests()), answer.Text)
	}
}

// What does not end in the time of a stopping worker is handed over: another worker asks again, and what the first had
// streamed is gone.
func TestWorkerHandsOver(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{End: modeltest.Hang, After: 3})
	model := withModel(t, fake)
	p := startAlone(t, func(c *config.Config) {
		model(c)
		c.Server.ShutdownTime = 50 * time.Millisecond
	})
	v := p.visitor()
	c := v.converse()
	turn := v.say(c, "What is a show cause notice?")
	text, last := "", ""
	for e := range v.follow(c, "").events {
		if text, last = gather(t, e, text, last); text != "" {
			break
		}
	}
	p.parts[0].end(t)
	other := p.beside()
	other.run("other worker", other.app.RunWorker)
	if answer := v.answer(c, turn); len(fake.Requests()) != 2 || answer.Text != modeltest.Answer(fake.Requests()[1]) {
		t.Errorf("%d requests, answer %q", len(fake.Requests()), answer.Text)
	}
}
