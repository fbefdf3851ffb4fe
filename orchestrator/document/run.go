package document

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// run is one call of Read.
type run struct {
	reader *Reader
	path   string
	whole  bool // every page was asked for
	cancel context.CancelCauseFunc

	reporting sync.Mutex
	onPage    func(Page) error

	mu       sync.Mutex
	again    []Page // to be tried once more, as far as they were read
	readable int
	lost     int      // since a page was last read, in failed pages
	reason   *Refusal // of the page that failed last
}

// A file made to waste time gets little of it: the pages left are not tried when
// so many failed in a row, or fewer before any was read. One that ran out of its
// time counts for several.
const (
	giveUpInARow = 32
	giveUpAtOnce = 8
	slowPage     = 4
)

// work deals the pages to the workers, two of which find their children already
// started, and then tries those again that ended a child. They do so alone, so
// that they may have more memory, and so that a child which the system ended
// for its own reasons costs no page.
func (run *run) work(ctx context.Context, first *process, spare <-chan *process, pages []int) {
	hands := deal(pages, max(1, min(run.reader.options.Workers, len(pages))))
	var workers sync.WaitGroup
	for worker := range hands.pages {
		workers.Go(func() {
			var child *process
			switch worker {
			case 0:
				child = first
			case 1:
				child = <-spare
			}
			for {
				n, ok := hands.next(worker)
				if !ok || ctx.Err() != nil {
					break
				}
				var page Page
				var err error
				page, child, err = run.read(ctx, child, n, false)
				if code := codeOf(err); code == Damaged || code == TooMuchMemory {
					run.postpone(page, err)
				} else {
					run.report(ctx, page, err)
				}
			}
			child.kill()
		})
	}
	workers.Wait()
	var child *process
	for _, before := range run.again {
		if ctx.Err() != nil {
			break
		}
		var page Page
		var err error
		page, child, err = run.read(ctx, child, before.Number, true)
		if err != nil && before.Text != "" {
			page = before
		}
		run.report(ctx, page, err)
	}
	child.kill()
}

// hands are the pages that each worker is to read. Each has a part of the file
// of its own, since pages that stand together share fonts, and loading those
// costs more than reading the page.
type hands struct {
	mu    sync.Mutex
	pages [][]int
}

func deal(pages []int, workers int) *hands {
	h := &hands{pages: make([][]int, workers)}
	for i := range h.pages {
		h.pages[i] = pages[len(pages)*i/workers : len(pages)*(i+1)/workers]
	}
	return h
}

// next takes the first page of the worker's own, or else the last of whoever has most left.
func (h *hands) next(worker int) (page int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	own := &h.pages[worker]
	if len(*own) > 0 {
		page, *own = (*own)[0], (*own)[1:]
		return page, true
	}
	most := own
	for i := range h.pages {
		if len(h.pages[i]) > len(*most) {
			most = &h.pages[i]
		}
	}
	if len(*most) == 0 {
		return 0, false
	}
	last := len(*most) - 1
	page, *most = (*most)[last], (*most)[:last]
	return page, true
}

// read reads page n with the child, or with a new one if child is nil. It gives
// the child that can read the next page, and if the page could not be read, as
// much as could be had of it.
func (run *run) read(ctx context.Context, child *process, n int, lastTry bool) (Page, *process, error) {
	page := unreadable(n)
	if reason := run.givenUp(); reason != nil {
		return page, child, fmt.Errorf("not tried after so many: %w", reason)
	}
	select {
	case run.reader.slots <- struct{}{}:
		defer func() { <-run.reader.slots }()
	case <-ctx.Done():
		return page, child, context.Cause(ctx)
	}
	var err error
	if child == nil {
		child, _, err = run.reader.start(ctx, run.path, lastTry)
	}
	if err == nil {
		page, err = child.read(ctx, n, run.reader.options.PageTime)
	}
	if err != nil {
		child.kill()
		child = nil
	}
	return page, child, err
}

func unreadable(n int) Page { return Page{Number: n, Method: MethodUnreadable, Incomplete: true} }

// codeOf is the code of an error that is a *Refusal.
func codeOf(err error) Code {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}

// givenUp is the reason for which no more pages are tried, if there is one.
func (run *run) givenUp() *Refusal {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.lost >= giveUpInARow || run.readable == 0 && run.lost >= giveUpAtOnce {
		return run.reason
	}
	return nil
}

// postpone keeps a page for the second round.
func (run *run) postpone(page Page, err error) {
	run.mu.Lock()
	defer run.mu.Unlock()
	run.again = append(run.again, page)
	run.note(err)
}

// note takes account of how reading a page went.
func (run *run) note(err error) {
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		run.lost = 0
		return
	}
	run.reason = refusal
	run.lost++
	if refusal.Code == TooSlow {
		run.lost += slowPage - 1
	}
}

// report hands a page on, one at a time.
func (run *run) report(ctx context.Context, page Page, err error) {
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		if codeOf(err) == "" {
			run.cancel(err) // ours, not the file's: it would be the same for every page
			return
		}
		run.reader.options.Log.WarnContext(ctx, "a page could not be read", "page", page.Number, "error", err)
	}
	run.mu.Lock()
	run.note(err)
	if page.Method != MethodUnreadable {
		run.readable++
	}
	run.mu.Unlock()
	run.reporting.Lock()
	defer run.reporting.Unlock()
	if ctx.Err() != nil {
		return
	}
	if err := run.onPage(page); err != nil {
		run.cancel(err)
	}
}

// refusal is the error of a file of which no page could be read.
func (run *run) refusal() error {
	switch {
	case !run.whole || run.readable > 0:
		return nil
	case run.reason == nil:
		return &Refusal{Code: Damaged}
	}
	return run.reason
}
