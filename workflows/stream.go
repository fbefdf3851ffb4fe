package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// streamWriter stores a model's text while it is being written: the first piece at once, and then what has
// accumulated, at short intervals. If the connection to the store is lost, it starts a new epoch with the whole text,
// so that no reader misses a piece.
type streamWriter struct {
	ctx   context.Context
	store StreamStore
	ref   Ref
	step  string

	mu      sync.Mutex
	epoch   int64
	seq     int64
	all     strings.Builder
	waiting strings.Builder
	last    time.Time   // when something was last stored
	timer   *time.Timer // stores the pending text
	late    bool        // the last piece was being sent when the activity ended, so it may or may not be stored
	err     error       // the first error that could not be repaired
}

func openStream(ctx context.Context, store StreamStore, ref Ref, step string) (*streamWriter, error) {
	epoch, err := store.Open(ctx, ref, step)
	if err != nil {
		return nil, err
	}
	return &streamWriter{ctx: ctx, store: store, ref: ref, step: step, epoch: epoch}, nil
}

func (p *streamWriter) write(text string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return p.err
	}
	p.all.WriteString(text)
	p.waiting.WriteString(text)
	if wait := flushEvery - time.Since(p.last); wait > 0 {
		if p.timer == nil {
			p.timer = time.AfterFunc(wait, func() {
				p.mu.Lock()
				defer p.mu.Unlock()
				p.flush(p.ctx)
			})
		}
		return nil
	}
	p.flush(p.ctx)
	return p.err
}

// close stores the pending text: it tries as long as necessary, since the text was paid for; but if the turn was
// stopped, only for closeTime.
func (p *streamWriter) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx := p.ctx
	if ctx.Err() != nil {
		stopped, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), closeTime)
		defer cancel()
		ctx = stopped
	}
	p.flush(ctx)
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.err == nil && p.waiting.Len() > 0 {
		p.err = fmt.Errorf("store the end of the text: %w", ctx.Err())
	}
	return p.err
}

// rest returns the pending text, to be stored together with the answer. If ok is false, or storing it fails, close
// must store it.
func (p *streamWriter) rest() (piece StreamPiece, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil || p.late {
		return StreamPiece{}, false
	}
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	p.late = true
	return StreamPiece{p.epoch, p.seq + 1, p.waiting.String()}, true
}

func (p *streamWriter) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.String()
}

// back shortens the text to an earlier state; readers see the rest removed.
func (p *streamWriter) back(to string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil || to == p.all.String() {
		return p.err
	}
	p.all.Reset()
	p.all.WriteString(to)
	p.waiting.Reset()
	p.waiting.WriteString(to)
	p.late = true // the whole text goes into a new epoch
	p.flush(p.ctx)
	return p.err
}

// flush stores the pending text; the caller holds the lock.
func (p *streamWriter) flush(ctx context.Context) {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if p.err != nil || p.waiting.Len() == 0 {
		return
	}
	err := p.put(ctx)
	for pause := 100 * time.Millisecond; err != nil; pause = min(2*pause, 5*time.Second) {
		if errors.Is(err, ErrSuperseded) {
			p.err = fmt.Errorf("store the text: %w", err)
			return
		}
		if ctx.Err() != nil { // stopped: close decides
			p.late = true
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		err = p.again(ctx)
	}
	p.waiting.Reset()
	p.last = time.Now()
}

// put adds the pending text to the epoch.
func (p *streamWriter) put(ctx context.Context) error {
	if p.late {
		p.late = false
		return p.again(ctx)
	}
	p.seq++
	return p.store.Append(ctx, p.ref, p.epoch, p.seq, p.waiting.String())
}

// again writes the whole text into a new epoch.
func (p *streamWriter) again(ctx context.Context) error {
	epoch, err := p.store.Open(ctx, p.ref, p.step)
	if err != nil {
		return err
	}
	p.epoch, p.seq = epoch, 1
	return p.store.Append(ctx, p.ref, p.epoch, p.seq, p.all.String())
}
