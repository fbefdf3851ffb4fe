package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"

	"munshi/orchestrator/confine"
)

const (
	// storeBytes limits the fonts and pictures that MuPDF caches between pages.
	storeBytes = 32 << 20
	// maxChars limits the text read from the layer of one page; a full page has about a hundredth of it.
	maxChars = 500_000
)

// ChildCommand is the hidden command with which a program that reads documents starts itself again to run Child.
const ChildCommand = "read-pdf"

// Child is the body of the hidden command that Options.Executable and Options.Args start. It reads the pages that the
// parent asks for and returns the exit status of the process. It ends when the parent ends.
func Child() int {
	runtime.LockOSThread() // so that the C libraries use the memory of one thread only
	orders := json.NewDecoder(os.NewFile(ordersFile, "orders"))
	answers := json.NewEncoder(os.NewFile(answersFile, "answers"))
	var j job
	if err := orders.Decode(&j); err != nil {
		fmt.Fprintln(os.Stderr, "read-pdf is a part of Munshi that it starts by itself.")
		return 2
	}
	c := &child{job: j, answers: answers}
	if err := confine.Self(j.Memory, 0); err != nil {
		return c.fail(err)
	}
	if err := confine.CPU(j.OpenTime); err != nil {
		return c.fail(err)
	}
	if err := answers.Encode(answer{}); err != nil {
		return 1
	}
	pages := make(chan int)
	go func() {
		// Orders are read in a separate goroutine, so that the child notices the end of the parent even while it
		// reads a page.
		for {
			var n int
			if err := orders.Decode(&n); err != nil {
				os.Exit(0)
			}
			pages <- n
		}
	}()
	if j.Photograph {
		if err := confine.CPU(j.PageTime); err != nil {
			return c.fail(err)
		}
		if err := c.straighten(); err != nil {
			return c.fail(err)
		}
		return 0
	}
	debug.SetGCPercent(ofText)
	if err := c.open(); err != nil {
		return c.fail(err)
	}
	for n := range pages {
		if err := confine.CPU(j.PageTime); err != nil {
			return c.fail(err)
		}
		page, err := c.read(n)
		if err != nil {
			return c.fail(err)
		}
		if err := answers.Encode(answer{Page: &page}); err != nil {
			return 1
		}
	}
	return 0
}

// The values of GOGC for reading text and for drawing pictures. The text of a page is small, so collecting garbage
// can wait; a picture has to leave room for the next one.
const ofText, ofPictures = 400, 100

type child struct {
	job        job
	answers    *json.Encoder
	pdf        *pdf
	recogniser *recogniser // created with the first page that needs it
}

// fail reports to the parent why the child ends, and returns the exit status.
func (c *child) fail(err error) int {
	a := answer{Failure: notSetUp, Detail: err.Error()}
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		a.Failure, a.Detail, a.Found, a.Limit = refusal.Code, refusal.Detail, refusal.Found, refusal.Limit
	case errors.Is(err, errPassword):
		a.Failure = Encrypted
	case errors.Is(err, errMemory):
		a.Failure = TooMuchMemory
	case errors.Is(err, errDamaged):
		a.Failure = Damaged
	}
	_ = c.answers.Encode(a)
	return 1
}

func (c *child) open() error {
	var err error
	if c.pdf, err = openPDF(c.job.Path, storeBytes); err != nil {
		return c.whyClosed(err)
	}
	count, err := c.pdf.pages()
	if err != nil {
		return c.whyClosed(err)
	}
	info := Info{Pages: count}
	if c.pdf.repaired() {
		_, end, err := c.ends()
		if err != nil {
			return err
		}
		info.Truncated = !bytes.Contains(end, []byte("%%EOF"))
	}
	if count == 0 && !c.looksLikePDF() {
		return &Refusal{Code: NotPDF}
	}
	return c.answers.Encode(answer{Info: &info})
}

// whyClosed returns why a file could not be opened: it is not a PDF, it is encrypted in a way that MuPDF does not
// know, or it is damaged.
func (c *child) whyClosed(err error) error {
	switch {
	case errors.Is(err, errPassword), errors.Is(err, errMemory):
		return err
	case strings.Contains(err.Error(), "crypt"):
		return &Refusal{Code: Encrypted, Detail: err.Error()}
	case !c.looksLikePDF():
		return &Refusal{Code: NotPDF, Detail: err.Error()}
	}
	return err
}

// looksLikePDF reports whether the beginning of the file has the PDF header.
func (c *child) looksLikePDF() bool {
	start, _, err := c.ends()
	return err == nil && bytes.Contains(start, []byte("%PDF-"))
}

// ends returns the first and the last 1,024 bytes of the file.
func (c *child) ends() (start, end []byte, err error) {
	f, err := os.Open(c.job.Path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	start = make([]byte, min(1024, stat.Size()))
	end = make([]byte, len(start))
	if _, err := f.ReadAt(start, 0); err != nil {
		return nil, nil, err
	}
	_, err = f.ReadAt(end, stat.Size()-int64(len(end)))
	return start, end, err
}

// read reads page n, counted from 1. If MuPDF ran out of memory it returns errMemory, or on the last try the page
// marked as incomplete.
func (c *child) read(n int) (Page, error) {
	page, err := c.readPage(n)
	if c.pdf.starved() {
		if !c.job.LastTry {
			return page, errMemory
		}
		page.Incomplete = true
	}
	return page, err
}

func (c *child) readPage(n int) (Page, error) {
	l, err := c.pdf.layer(n-1, maxChars)
	if errors.Is(err, errDamaged) {
		return unreadable(n), nil
	}
	if err != nil {
		return Page{}, err
	}
	text, words := arrange(l.lines)
	page := Page{
		Number: n, Text: text, Words: Pack(words), Method: MethodLayer, Confidence: 1,
		Width: l.width, Height: l.height, Incomplete: l.incomplete,
	}
	verdict := judge(l, page.Text)
	if verdict == trusted {
		return page, nil
	}
	if err := c.answers.Encode(answer{Page: &page, More: true}); err != nil {
		return page, err
	}
	debug.SetGCPercent(ofPictures)
	sketch, err := c.pdf.render(n-1, sketchScale(l.width, l.height), 0)
	if err != nil {
		return withoutPicture(page), nil
	}
	page.Incomplete = page.Incomplete || sketch.incomplete
	ink := measure(sketch, l)
	switch {
	case ink.total == 0 && page.Text == "":
		page.Method, page.Confidence = MethodBlank, 0
		return page, nil
	case verdict == unsure && ink.explained():
		return page, nil
	}
	return c.recognise(page, verdict, sketch)
}

// withoutPicture returns a page that could not be rendered, with only the text of its layer.
func withoutPicture(page Page) Page {
	page.Incomplete = true
	if page.Text == "" {
		return unreadable(page.Number)
	}
	return page
}

// recognise recognises the text in the page's picture, and keeps the layer's text if that is better.
func (c *child) recognise(page Page, layer verdict, sketch *pixels) (Page, error) {
	need := 0
	if c.recogniser == nil {
		var err error
		if c.recogniser, err = newRecogniser(c.job.Languages); err != nil {
			return page, err
		}
		need = recogniserBytes
	}
	picture, scale, err := c.picture(page, sketch)
	if err != nil {
		return withoutPicture(page), nil
	}
	picture.eraseRules(scale)
	if need += bytesPerPixel * len(picture.gray); !hasRoom(need) {
		return page, fmt.Errorf("%w: recognise %d pixels", errMemory, len(picture.gray))
	}
	seen, err := c.recogniser.read(picture, scale)
	if err != nil {
		return page, err
	}
	switch {
	case sound(seen.text) == 0 && sound(page.Text) == 0:
		page.Text, page.Words, page.Method, page.Confidence = "", nil, MethodBlank, 0
	case seen.beats(page.Text, layer):
		page.Text, page.Words, page.Method = seen.text, Pack(seen.words), MethodRecognition
		page.Confidence, page.Languages = seen.confidence, seen.languages
	}
	return page, nil
}

// picture renders a page for recognition with its lines level, and returns the picture and its pixels per point. If
// the page is a photograph that was put into a PDF unchanged, the sheet is cut out along its edges and the shadows on
// it are evened out.
func (c *child) picture(page Page, sketch *pixels) (*pixels, float64, error) {
	scale := renderScale(c.job.Scale, page.Width, page.Height)
	small := photo{[]plane{sketch.plane()}}
	all := frame(float64(sketch.width), float64(sketch.height), 1)
	edges, found := findSheet(small.cut(all, edgesSide).planes[0])
	if !found && !small.isShaded() {
		picture, err := c.pdf.render(page.Number-1, scale, tilt(sketch))
		return picture, scale, err
	}
	drawn, err := c.pdf.render(page.Number-1, scale, 0)
	if err != nil {
		return nil, 0, err
	}
	taken := photo{[]plane{drawn.plane()}}
	shown := frame(float64(drawn.width), float64(drawn.height), 1)
	if found {
		shown = edges.scaled(float64(drawn.width), float64(drawn.height)).inset()
	}
	shown = taken.level(shown)
	sheet := taken.cut(shown, sheetScale*sheetPoints)
	sheet.even()
	picture := sheet.pixels()
	picture.incomplete = drawn.incomplete
	onto := shown.scaled(1/scale, 1/scale).projection()
	picture.from = drawing{width: drawn.from.width, height: drawn.from.height, scale: 1, onto: &onto}
	return picture, float64(max(picture.width, picture.height)) / sheetPoints, nil
}

// The memory that Tesseract was measured to need, for its data and for each pixel. If it gets less, it finds no text
// and returns no error.
const (
	recogniserBytes = 30 << 20
	bytesPerPixel   = 9
)

// hasRoom reports whether this many more bytes of memory can be allocated.
func hasRoom(bytes int) bool {
	memory, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return false
	}
	return unix.Munmap(memory) == nil
}
