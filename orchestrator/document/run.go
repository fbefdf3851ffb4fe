package document

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// run is the state of one call of Read.
type run struct {
	reader *Reader
	path   string
	whole  bool // all pages were requested
	cancel context.CancelCauseFunc

	reporting sync.Mutex
	onPage    func(Page) error

	mu       sync.Mutex
	again    []Page // to be tried once more, with what was read of them
	readable int
	lost     int      // consecutive failed pages, slow ones counted several times
	reason   *Refusal // why the last failed page failed
}

// A file made to waste time gets little of it: the remaining pages are not tried after so many failures in a row, or
// after fewer if no page was read yet. A page that ran out of time counts as several.
const (
	giveUpInARow = 32
	giveUpAtOnce = 8
	slowPage     = 4
)

// work distributes the pages to the workers, two of which have children already started. Then it tries again the
// pages that crashed a child, one at a time: they may use more memory then, and a child that the system ended for
// other reasons costs no page.
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

// hands are the pages that each worker is to read. Each worker has its own section of the file, because neighbouring
// pages share fonts, and loading fonts costs more than reading a page.
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

// next returns the worker's next page or, if it has none left, the last page of the worker with the most
// pages left.
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

// read reads page n with the child, or with a new one if child is nil. It returns the child that can read the next
// page. If the page could not be read, it returns as much of it as was read.
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

// codeOf returns the code of an error that is a *Refusal, else "".
func codeOf(err error) Code {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}

// givenUp returns the reason why no more pages are tried, or nil.
func (run *run) givenUp() *Refusal {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.lost >= giveUpInARow || run.readable == 0 && run.lost >= giveUpAtOnce {
		return run.reason
	}
	return nil
}

// postpone keeps a page to be tried again.
func (run *run) postpone(page Page, err error) {
	run.mu.Lock()
	defer run.mu.Unlock()
	run.again = append(run.again, page)
	run.note(err)
}

// note records whether reading a page succeeded.
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

// report passes a page to onPage, one at a time.
func (run *run) report(ctx context.Context, page Page, err error) {
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		if codeOf(err) == "" {
			run.cancel(err) // our fault, not the file's: every page would fail in the same way
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

// refusal returns the error for a file of which no page could be read, else nil.
func (run *run) refusal() error {
	switch {
	case !run.whole || run.readable > 0:
		return nil
	case run.reason == nil:
		return &Refusal{Code: Damaged}
	}
	return run.reason
}
