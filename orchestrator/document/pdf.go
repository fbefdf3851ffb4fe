package document

/*
#cgo LDFLAGS: -lm
#include <stdlib.h>
#include "pdf.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	// Links MuPDF: see mupdf.h.
	_ "github.com/gen2brain/go-fitz"
)

// The reasons why MuPDF fails.
var (
	errDamaged  = errors.New("damaged")
	errMemory   = errors.New("out of memory")
	errPassword = errors.New("password needed")
)

// pdf is one open file. It is used by one goroutine at a time, and only in the child process. MuPDF comes with
// go-fitz but is called directly, because go-fitz's own functions leave out form fields and signatures, give no
// positions, let some of MuPDF's errors end the process, and copy a page's pixels three times.
type pdf struct {
	reader *C.reader
}

// line is a run of text on one baseline, in points from the page's upper left corner.
type line struct {
	x0, y0, x1, y1 float64
	dx, dy         float64
	size           float64
	block          int
	text           string
	words          []Word // Start and End are bytes of text
}

type font struct {
	name  string
	chars int
}

type layer struct {
	width, height float64
	lines         []line
	fonts         []font
	chars, hidden int
	imageShare    float64
	incomplete    bool
}

// pixels is a grey picture of a page, with one byte per pixel, row by row.
type pixels struct {
	width, height int
	gray          []byte
	incomplete    bool // MuPDF could not draw all of the page
	from          drawing
}

// drawing says how a page became a picture: rotated clockwise about its middle, or cut out of a photograph.
type drawing struct {
	width, height  float64 // of the page, points
	scale, degrees float64
	onto           *projection // maps a picture that was cut out onto the page
}

func openPDF(path string, storeBytes int64) (*pdf, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	p := &pdf{}
	status := C.reader_open(&p.reader, name, C.size_t(storeBytes))
	if err := p.fault(status); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pdf) close() {
	C.reader_close(p.reader)
	p.reader = nil
}

func (p *pdf) fault(status C.reader_status) error {
	switch status {
	case C.READER_OK:
		return nil
	case C.READER_PASSWORD:
		return errPassword
	case C.READER_MEMORY:
		return fmt.Errorf("%w: %s", errMemory, C.GoString(C.reader_error(p.reader)))
	case C.READER_VERSION:
		return errors.New("the MuPDF that is linked is not the version this was built for")
	default:
		return fmt.Errorf("%w: %s", errDamaged, C.GoString(C.reader_error(p.reader)))
	}
}

func (p *pdf) repaired() bool { return C.reader_was_repaired(p.reader) != 0 }

// starved reports whether MuPDF ran out of memory since the last call. It may then have left something out silently.
func (p *pdf) starved() bool { return C.reader_was_starved(p.reader) != 0 }

func (p *pdf) pages() (int, error) {
	var n C.int
	status := C.reader_count(p.reader, &n)
	return int(n), p.fault(status)
}

func (p *pdf) layer(index, maxChars int) (*layer, error) {
	var t C.page_text
	defer C.reader_release_text(p.reader, &t)
	if err := p.fault(C.reader_text(p.reader, C.int(index), C.int(maxChars), &t)); err != nil {
		return nil, err
	}
	all := C.GoStringN(t.text, C.int(t.text_length))
	l := &layer{
		width: float64(t.width), height: float64(t.height),
		chars: int(t.chars), hidden: int(t.hidden), imageShare: float64(t.image_share),
		incomplete: t.errors > 0 || t.cut != 0,
	}
	l.lines = make([]line, t.line_count)
	words := make([]Word, t.word_count)
	for i, c := range unsafe.Slice(t.words, t.word_count) {
		words[i] = Word{int(c.start), int(c.end), Box{float64(c.x0), float64(c.y0), float64(c.x1), float64(c.y1)}, 1}
	}
	for i, c := range unsafe.Slice(t.lines, t.line_count) {
		l.lines[i] = line{
			x0: float64(c.x0), y0: float64(c.y0), x1: float64(c.x1), y1: float64(c.y1),
			dx: float64(c.dx), dy: float64(c.dy), size: float64(c.size), block: int(c.block),
			text: all[c.start:c.end], words: words[c.word : c.word+c.words],
		}
	}
	for _, f := range t.fonts[:t.font_count] {
		l.fonts = append(l.fonts, font{C.GoString(f.name), int(f.chars)})
	}
	return l, nil
}

func (p *pdf) render(index int, scale, degrees float64) (*pixels, error) {
	var px C.page_pixels
	defer C.reader_release_pixels(p.reader, &px)
	if err := p.fault(C.reader_render(p.reader, C.int(index), C.float(scale), C.float(degrees), &px)); err != nil {
		return nil, err
	}
	out := &pixels{width: int(px.width), height: int(px.height), incomplete: px.errors > 0,
		from: drawing{width: float64(px.page_width), height: float64(px.page_height), scale: scale, degrees: degrees}}
	out.gray = make([]byte, 0, out.width*out.height)
	rows := unsafe.Slice((*byte)(px.samples), int(px.stride)*out.height)
	for y := range out.height {
		out.gray = append(out.gray, rows[y*int(px.stride):y*int(px.stride)+out.width]...)
	}
	return out, nil
}
