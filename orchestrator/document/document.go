// Package document turns a PDF into text, page by page: from the page's own text layer if that can be trusted, else
// by text recognition.
//
// PDFs come from strangers, and the C and C++ libraries that read them crash on some malformed files. So every file
// is read in child processes that run our own binary (Child), each reading one page at a time with limits on memory
// and time. A hostile file can crash only its own readers, and a page that cannot be read does not affect the others.
//
// The package never stores, changes or sends a file, knows nothing about notices, and calls MuPDF and Tesseract only
// in the child.
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

// Method says how the text of a page was obtained.
type Method string

const (
	// MethodLayer means that the text is the PDF's own text layer.
	MethodLayer Method = "layer"
	// MethodRecognition means that Tesseract read the text from the rendered page.
	MethodRecognition Method = "recognition"
	// MethodBlank means that the page has no text.
	MethodBlank Method = "blank"
	// MethodUnreadable means that reading the page failed, exceeded its time or memory, or crashed the reader.
	MethodUnreadable Method = "unreadable"
)

// Page is the text of one page, in visual lines from top to bottom. Cells that are side by side are on one line, at
// least two spaces apart and as far apart as on the page.
type Page struct {
	Number     int     `json:"number"` // from 1
	Text       string  `json:"text"`
	Method     Method  `json:"method"`
	Confidence float64 `json:"confidence"`          // 0..1: the mean of the recognised characters; 1 for a layer, 0 for blank and unreadable pages
	Languages  string  `json:"languages,omitempty"` // used for recognition, such as "eng+hin"
	Width      float64 `json:"width"`               // in points, of the page as displayed
	Height     float64 `json:"height"`              // points
	Incomplete bool    `json:"incomplete"`          // parts of the page could not be read
	Words      Words   `json:"words,omitempty"`     // of Text; the position of a word that is missing here is unknown
}

// Info says what is known about a file as soon as it is open.
type Info struct {
	Pages int `json:"pages"`
	// Truncated means that the end of the file is missing. Pages may be missing too, so the person should be told.
	Truncated bool `json:"truncated"`
}

// Options are the limits and tools of a Reader. A zero value takes the default. Time limits
// are CPU time, so that a busy machine does not refuse a file that an idle one reads; on the clock a child may take
// patience times as long.
type Options struct {
	Executable string   // the program to run as the child; default os.Executable()
	Args       []string // the arguments with which Executable calls Child; default "read-pdf"
	Scale      float64  // for rendering pages for recognition, where 1 is 72 dpi; default DefaultScale
	Languages  []string // to recognise, by Tesseract's names, without those not installed; default "eng", "hin"
	Workers    int      // the number of pages read at once, and of children per file; default the number of CPUs
	MaxBytes   int64    // of a file; default 50 MiB
	MaxPages   int      // of a file; default 2,000
	// bytes of data that a child may map, and half as much again for a page that is tried a second time, alone;
	// default 300 MiB, of which about 70 are never used
	Memory   int64
	OpenTime time.Duration // CPU time to open a file, in Probe and in Read; default 5 s
	PageTime time.Duration // CPU time for one page; default 20 s
	Log      *slog.Logger  // logs why a child ended, in technical words; default slog.Default()
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

// patience is how many times its CPU time limit a child may take on the clock.
const patience = 5

// Reader reads PDFs within its Options. It is safe for concurrent use: all calls together read at most Workers pages
// at once. It holds nothing open between calls.
type Reader struct {
	options Options
	slots   chan struct{} // one for each page that is being read
}

// New returns a Reader, or an error if an option is out of range.
func New(options Options) (*Reader, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("make a document reader: %w", err)
	}
	return &Reader{options: o, slots: make(chan struct{}, o.Workers)}, nil
}

// Probe opens the PDF at path and counts its pages, which takes some tens of milliseconds. It returns a *Refusal for
// a file that Read would refuse as a whole.
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

// Read reads the pages of the PDF at path with the given numbers, or all of them if pages is nil. It calls onPage
// with each page as it finishes, in any order but never twice at once. If onPage returns an error or ctx ends,
// reading stops and that error is returned. Every requested page is reported; one that cannot be read has
// MethodUnreadable. A file that cannot be read at all gives a *Refusal, and so does one whose every page is
// unreadable when pages is nil.
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

// Photographs makes one PDF from photographs of pages (JPEG, PNG, WebP, HEIC), in the order of paths, and writes it
// to out. Each page is turned upright, cut out along the edges of its sheet if they are clear, and its shadows are
// evened out. Nothing that a camera adds, such as the place, is kept. A photograph that cannot be read gives a
// *Refusal with its number.
func (r *Reader) Photographs(ctx context.Context, paths []string, out io.Writer) error {
	return onePDF(ctx, r, paths, out)
}

// startSpare starts a second child beside the first if there is likely to be work for two. Starting it only when
// needed would be late: half of a hundred pages would be read by then.
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

// open starts a child that opens the file, and refuses a file with no pages or too many.
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

// inspect checks what can be checked without reading the file's content.
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
