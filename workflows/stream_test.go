package workflows

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// page is a store in memory that may be down.
type page struct {
	epoch   int64
	current string
	away    bool
}

func (p *page) Open(ctx context.Context, _ Ref, _ string) (int64, error) {
	if p.away || ctx.Err() != nil {
		return 0, errors.New("away")
	}
	p.epoch++
	p.current = ""
	return p.epoch, nil
}

func (p *page) Append(ctx context.Context, _ Ref, epoch, _ int64, text string) error {
	switch {
	case epoch != p.epoch:
		return ErrSuperseded
	case p.away || ctx.Err() != nil:
		return errors.New("away")
	}
	p.current += text
	return nil
}

const counted = "one two three four five "

func write(t *testing.T, p *streamWriter, text string) {
	t.Helper()
	for word := range strings.SplitAfterSeq(text, " ") {
		if err := p.write(word); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// An answer was paid for: its end waits for a store that is down, however long.
func TestPenWaitsForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &page{}
		p, err := openStream(t.Context(), store, Ref{}, "answer")
		if err != nil {
			t.Fatal(err)
		}
		write(t, p, counted)
		store.away = true
		time.AfterFunc(10*time.Minute, func() { store.away = false })
		if err := p.write("six"); err != nil {
			t.Fatal(err)
		}
		if err := p.close(); err != nil || store.current != counted+"six" {
			t.Errorf("stored is %q, %v", store.current, err)
		}
	})
}

// Text written before a stop is kept, including the piece that was being stored at the stop.
func TestPenKeepsWhatWasStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &page{}
		ctx, stop := context.WithCancel(t.Context())
		p, err := openStream(ctx, store, Ref{}, "answer")
		if err != nil {
			t.Fatal(err)
		}
		write(t, p, counted)
		if err := p.write("six "); err != nil {
			t.Fatal(err)
		}
		stop()
		time.Sleep(time.Second) // the timer's flush happens at the stop
		if err := p.close(); err != nil || store.current != counted+"six " {
			t.Errorf("stored is %q, %v", store.current, err)
		}
	})
}

// A replaced writer stops writing.
func TestPenGivesWay(t *testing.T) {
	store := &page{}
	p, err := openStream(t.Context(), store, Ref{}, "answer")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), Ref{}, "answer"); err != nil {
		t.Fatal(err)
	}
	if err := p.write("late"); !errors.Is(err, ErrSuperseded) {
		t.Errorf("a replaced writer hears %v", err)
	}
	if err := p.close(); !errors.Is(err, ErrSuperseded) || store.current != "" {
		t.Errorf("it closes with %v, and %q is stored", err, store.current)
	}
}

// Text that is removed again disappears for readers, and what follows takes its place; nothing is lost while the
// store is down.
func TestPenGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &page{}
		p, err := openStream(t.Context(), store, Ref{}, "answer")
		if err != nil {
			t.Fatal(err)
		}
		write(t, p, counted)
		store.away = true
		time.AfterFunc(time.Minute, func() { store.away = false })
		if err := p.back("one two "); err != nil || store.current != "one two " || p.text() != store.current {
			t.Errorf("stored is %q, %v", store.current, err)
		}
		write(t, p, "too ")
		if err := p.close(); err != nil || store.current != "one two too " {
			t.Errorf("stored is %q, %v", store.current, err)
		}
	})
}

func TestUnbroken(t *testing.T) {
	long := strings.Repeat("A clause that goes on and on. ", 100)
	for text, want := range map[string]string{
		"# Lease\n\n1. The rent is due.\n\n2. The ten": "# Lease\n\n1. The rent is due.\n\n",
		"# Lease\n1. The rent is due.\n2. The ten":     "# Lease\n1. The rent is due.\n",
		long + "The ten": long,
		"word and wo":    "word and ",
		"Unabbreviated":  "Unabbreviated",
		"# T\n\n" + strings.Repeat("x", 4000) + " tail": "# T\n\n" + strings.Repeat("x", 4000) + " ",
	} {
		if got := unbroken(text); got != want {
			t.Errorf("of %.40q stays %.40q (%d bytes), want %d", text, got, len(got), len(want))
		}
	}
}
