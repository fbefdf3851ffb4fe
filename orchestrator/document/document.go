// Package document turns a PDF into text, page by page: from the page's own
// text layer where that can be trusted, else by text recognition.
//
// PDFs come from strangers, and the C and C++ libraries that read them end the
// process on some malformed files. So every file is read in child processes of
// our own binary (Child), one page at a time each, with limits on memory and
// time: a hostile file can end its own readers and nothing else, and a page
// that cannot be read costs only itself.
//
// The package never keeps, changes or sends a file, knows nothing of notices,
// and never touches MuPDF or Tesseract outside the child.
package document

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"time"
)

// Method is how a page's text was got.
type Method string

const (
	// MethodLayer means that the text is the PDF's own text layer.
	MethodLayer Method = "layer"
	// MethodRecognition means that Tesseract read the text from the rendered page.
	MethodRecognition Method = "recognition"
	// MethodBlank means that the page has nothing to read.
	MethodBlank Method = "blank"
	// MethodUnreadable means that reading the page failed, ran out of its time or memory, or ended the reader.
	MethodUnreadable Method = "unreadable"
)

// Page is one page's text, in visual lines from top to bottom: cells that stand
// side by side are on one line, at least two spaces apart and as far apart as
// on the page.
type Page struct {
	Number     int     `json:"number"` // from 1
	Text       string  `json:"text"`
	Method     Method  `json:"method"`
	Confidence float64 `json:"confidence"`          // 0..1: the recognised characters' mean; 1 for a layer, 0 for blank and unreadable pages
	Languages  string  `json:"languages,omitempty"` // those that recognition used, such as "eng+hin"
	Width      float64 `json:"width"`               // points, as the page is shown
	Height     float64 `json:"height"`              // points
	Incomplete bool    `json:"incomplete"`          // parts of the page could not be read
	Words      Words   `json:"words,omitempty"`     // of Text; a word of it that is not among them stands nobody knows where
}

// Info says what is known of a file as soon as it is open.
type Info struct {
	Pages int `json:"pages"`
	// Truncated means that the end of the file is missing: pages may be missing too, and the person should be told.
	Truncated bool `json:"truncated"`
}

// Options are the limits and tools of a Reader. A zero value takes the default
// that stands beside it. Times are of the CPU, so that a busy machine refuses
// nothing that an idle one reads; the clock may show patience times as much.
type Options struct {
	Executable string   // of the child; os.Executable()
	Args       []string // that make Executable call Child; "read-pdf"
	Scale      float64  // of pages rendered for recognition, 1 being 72 dpi; DefaultScale
	Languages  []string // to recognise, as Tesseract names them, those not installed being left out; "eng", "hin"
	Workers    int      // pages read at once, and children per file; the number of CPUs
	MaxBytes   int64    // of a file; 50 MiB
	MaxPages   int      // of a file; 2,000
	// bytes of data a child may map, and half as much again for a page that is tried a second time, alone; 300 MiB, of
	// which some 70 stay untouched
	Memory   int64
	OpenTime time.Duration // of CPU for opening a file, in Probe and in Read; 5 s
	PageTime time.Duration // of CPU for one page; 20 s
	Log      *slog.Logger  // gets what ended a child, in words not fit to show; slog.Default()
}

func (o Options) withDefaults() (Options, error) {
	if o.Executable == "" {
		path, err := os.Executable()
		if err != nil {
			return o, fmt.Errorf("find our own executable: %w", err)
		}
		o.Executable = path
	}
	if o.Args == nil {
		o.Args = []string{"read-pdf"}
	}
	if o.Scale == 0 {
		o.Scale = DefaultScale
	}
	if o.Scale < 0.5 || o.Scale > 6 {
		return o, fmt.Errorf("render scale %g is not between 0.5 and 6", o.Scale)
	}
	if len(o.Languages) == 0 {
		o.Languages = []string{"eng", "hin"}
	}
	setDefault(&o.Workers, runtime.NumCPU())
	setDefault(&o.MaxBytes, 50<<20)
	setDefault(&o.MaxPages, 2000)
	setDefault(&o.Memory, 300<<20)
	setDefault(&o.OpenTime, 5*time.Second)
	setDefault(&o.PageTime, 20*time.Second)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o, nil
}

func setDefault[T int | int64 | time.Duration](value *T, to T) {
	if *value <= 0 {
		*value = to
	}
}

// patience is how much longer than its CPU time a child may take.
const patience = 5

// Reader reads PDFs within its Options. It is safe for concurrent use: all its
// calls together read as many pages at once as there are workers. It holds
// nothing open between calls.
type Reader struct {
	options Options
	slots   chan struct{} // one is held for each page that is being read
}

// New makes a Reader; it fails if an option is out of range.
func New(options Options) (*Reader, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("make a document reader: %w", err)
	}
	return &Reader{options: o, slots: make(chan struct{}, o.Workers)}, nil
}

// Probe opens the PDF at path and counts its pages, in some tens of
// milliseconds. A file that Read would refuse as a whole gives a *Refusal.
func (r *Reader) Probe(ctx context.Context, path string) (Info, error) {
	if err := r.inspect(path); err != nil {
		return Info{}, err
	}
	child, info, err := r.open(ctx, path)
	if err != nil {
		return Info{}, err
	}
	child.kill()
	return info, nil
}

// Read reads the pages of the PDF at path whose numbers are given, or all of
// them if pages is nil, and calls onPage with each as it finishes: in any order,
// never twice at once. An error of onPage or the end of ctx stops the reading
// and is returned. Every page asked for is reported; one that cannot be read is
// MethodUnreadable. A file that cannot be read at all gives a *Refusal, as it
// does when pages is nil and each page turned out to be unreadable.
func (r *Reader) Read(ctx context.Context, path string, pages []int, onPage func(Page) error) (Info, error) {
	if err := r.inspect(path); err != nil {
		return Info{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	spare := r.startSpare(ctx, path, pages)
	defer func() {
		cancel(nil)
		(<-spare).kill()
	}()
	first, info, err := r.open(ctx, path)
	if err != nil {
		return Info{}, err
	}
	run := &run{reader: r, path: path, cancel: cancel, onPage: onPage}
	if pages == nil {
		for n := range info.Pages {
			pages = append(pages, n+1)
		}
		run.whole = true
	}
	for _, n := range pages {
		if n < 1 || n > info.Pages {
			first.kill()
			return info, fmt.Errorf("read page %d of %s: it has %d pages", n, path, info.Pages)
		}
	}
	run.work(ctx, first, spare, pages)
	if err := context.Cause(ctx); err != nil {
		return info, err
	}
	return info, run.refusal()
}

// Photographs makes one PDF of photographs (JPEG, PNG, WebP, HEIC) of pages, in the order of paths, and writes it to
// out. Each page is turned upright, cut out along the edges of its sheet where they are clear, and its shadows are
// evened out; nothing that a camera adds, such as the place, goes along. A photograph that cannot be read gives a
// *Refusal with its number.
func (r *Reader) Photographs(ctx context.Context, paths []string, out io.Writer) error {
	return onePDF(ctx, r, paths, out)
}

// startSpare starts a second child beside the first, if there is likely to be
// work for two: otherwise half of a hundred pages would be read before it is there.
func (r *Reader) startSpare(ctx context.Context, path string, pages []int) <-chan *process {
	spare := make(chan *process, 1)
	if r.options.Workers == 1 || pages != nil && len(pages) < 2 {
		close(spare)
		return spare
	}
	go func() {
		defer close(spare)
		if child, _, err := r.start(ctx, path, false); err == nil {
			spare <- child
		}
	}()
	return spare
}

// open starts a child that holds a file of a permitted number of pages open.
func (r *Reader) open(ctx context.Context, path string) (*process, Info, error) {
	child, info, err := r.start(ctx, path, false)
	if err != nil {
		return nil, Info{}, err
	}
	if info.Pages == 0 {
		child.kill()
		return nil, Info{}, &Refusal{Code: NoPages}
	}
	if info.Pages > r.options.MaxPages {
		child.kill()
		return nil, Info{}, &Refusal{Code: TooManyPages, Found: int64(info.Pages), Limit: int64(r.options.MaxPages)}
	}
	return child, info, nil
}

// inspect checks what can be told without reading the file's content.
func (r *Reader) inspect(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open document: %w", err)
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return fmt.Errorf("open document: %w", err)
	}
	switch {
	case !stat.Mode().IsRegular():
		return fmt.Errorf("open document: %s is not a file", path)
	case stat.Size() == 0:
		return &Refusal{Code: Empty}
	case stat.Size() > r.options.MaxBytes:
		return &Refusal{Code: TooLarge, Found: stat.Size(), Limit: r.options.MaxBytes}
	}
	return nil
}
