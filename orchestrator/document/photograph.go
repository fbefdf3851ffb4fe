package document

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// headBytes is how much of a file is read to tell its format. PDF readers search that much for the header, since
	// mail programs may put something before it.
	headBytes = 1024
	// MostPhotographs is how many photographs can be made into one document.
	MostPhotographs = 50
	// mostPhotoPixels limits the pixels of a photograph. It covers the finest setting of phones, except for formats
	// that nobody shares.
	mostPhotoPixels = 50_000_000
)

// format is the format of a file, recognised by its first bytes.
type format string

const (
	formatPDF  format = "pdf"
	formatJPEG format = "jpeg"
	formatPNG  format = "png"
	formatWebP format = "webp"
	formatHEIC format = "heic"
)

// formatOf returns the format of a file from its first bytes, or "" if it is not one that can be read.
func formatOf(head []byte) format {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return formatJPEG
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return formatPNG
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return formatWebP
	case isHEIC(head):
		return formatHEIC
	case bytes.Contains(head[:min(len(head), headBytes)], []byte("%PDF-")):
		return formatPDF
	}
	return ""
}

// isHEIC reports whether the file has a brand that is coded with HEVC (AVIF is not).
func isHEIC(head []byte) bool {
	if len(head) < 16 || string(head[4:8]) != "ftyp" {
		return false
	}
	box := head[8:max(16, min(len(head), int(head[2])<<8|int(head[3])))]
	return slices.ContainsFunc([]string{"heic", "heix", "heim", "heis"}, func(brand string) bool {
		return bytes.Contains(box, []byte(brand))
	})
}

// IsPhotograph reports whether a file that begins with head is a picture in a format that Photographs reads.
func IsPhotograph(head []byte) bool {
	f := formatOf(head)
	return f != "" && f != formatPDF
}

// sheetPicture is a photographed page, straightened: a JPEG of Width × Height pixels.
type sheetPicture struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Colour bool   `json:"colour"`
	JPEG   []byte `json:"jpeg"`
}

// onePDF implements Reader.Photographs.
func onePDF(ctx context.Context, r *Reader, paths []string, out io.Writer) error {
	if most := min(MostPhotographs, r.options.MaxPages); len(paths) > most {
		return &Refusal{Code: TooManyPhotographs, Found: int64(len(paths)), Limit: int64(most)}
	}
	for i, path := range paths {
		if err := r.inspect(path); err != nil {
			return ofPhotograph(err, i)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pictures := make([]sheetPicture, len(paths))
	var size atomic.Int64 // of the PDF so far
	var workers sync.WaitGroup
	next := make(chan int)
	for range min(r.options.Workers, len(paths)) {
		workers.Go(func() {
			for i := range next {
				var err error
				if pictures[i], err = straightened(ctx, r, paths[i]); err != nil {
					cancel(ofPhotograph(err, i))
				}
				if sum := size.Add(int64(len(pictures[i].JPEG) + sheetBytes)); sum > r.options.MaxBytes {
					cancel(&Refusal{Code: TooLarge, Found: sum, Limit: r.options.MaxBytes})
				}
			}
		})
	}
	for i := range paths {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return writeSheets(out, pictures)
}

// ofPhotograph adds to an error the number of the photograph that it is about.
func ofPhotograph(err error, index int) error {
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		return fmt.Errorf("read photograph %d: %w", index+1, err)
	}
	about := *refusal
	about.Photograph = index + 1
	return &about
}

// straightened lets a child straighten the photograph at path.
func straightened(ctx context.Context, r *Reader, path string) (sheetPicture, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return sheetPicture{}, context.Cause(ctx)
	}
	deadline := time.Now().Add(patience * r.options.PageTime)
	j := r.job(path, true)
	j.Photograph = true
	p, err := r.begin(ctx, deadline, j)
	if err != nil {
		return sheetPicture{}, err
	}
	defer p.kill()
	reply, err := p.receive(ctx, deadline)
	if err == nil && (reply.Picture == nil || reply.Picture.Width <= 0 || reply.Picture.Height <= 0) {
		err = &Refusal{Code: Damaged, Detail: "the reader answered something else"}
	}
	if err != nil {
		return sheetPicture{}, err
	}
	return *reply.Picture, nil
}

// sheetBytes is more than a page takes in the PDF besides its picture.
const sheetBytes = 1 << 10

// sheetPoints is the longer side of a page made from a photograph, that of A4.
const sheetPoints = 842

// writeSheets writes a PDF with one page for each picture.
func writeSheets(out io.Writer, pictures []sheetPicture) error {
	w := &pdfWriter{out: out}
	w.print("%%PDF-1.7\n%%\xe2\xe3\xcf\xd3\n")
	var kids strings.Builder
	for i := range pictures {
		fmt.Fprintf(&kids, "%d 0 R ", 3+3*i)
	}
	w.object("<</Type/Catalog/Pages 2 0 R>>")
	w.object("<</Type/Pages/Kids[%s]/Count %d>>", kids.String(), len(pictures))
	for i, p := range pictures {
		scale := sheetPoints / float64(max(p.Width, p.Height))
		width, height := scale*float64(p.Width), scale*float64(p.Height)
		content := fmt.Sprintf("q %.2f 0 0 %.2f 0 0 cm /P Do Q", width, height)
		space := "/DeviceGray"
		if p.Colour {
			space = "/DeviceRGB"
		}
		w.object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %.2f %.2f]/Contents %d 0 R/Resources<</XObject<</P %d 0 "+
			"R>>>>>>",
			width, height, 4+3*i, 5+3*i)
		w.object("<</Length %d>>stream\n%s\nendstream", len(content), content)
		w.object("<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace%s/BitsPerComponent "+
			"8/Filter/DCTDecode/Length %d>>stream\n%s\nendstream",
			p.Width, p.Height, space, len(p.JPEG), p.JPEG)
	}
	return w.close()
}

// pdfWriter writes the objects of a PDF, numbered from 1 in order.
type pdfWriter struct {
	out     io.Writer
	at      int
	objects []int // the offset of each
	err     error
}

func (w *pdfWriter) print(format string, values ...any) {
	n, err := fmt.Fprintf(w.out, format, values...)
	w.at += n
	w.err = cmp.Or(w.err, err)
}

func (w *pdfWriter) object(format string, values ...any) {
	w.objects = append(w.objects, w.at)
	w.print("%d 0 obj\n", len(w.objects))
	w.print(format, values...)
	w.print("\nendobj\n")
}

func (w *pdfWriter) close() error {
	start := w.at
	w.print("xref\n0 %d\n0000000000 65535 f \n", len(w.objects)+1)
	for _, at := range w.objects {
		w.print("%010d 00000 n \n", at)
	}
	w.print("trailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n", len(w.objects)+1, start)
	if w.err != nil {
		return fmt.Errorf("write the PDF of photographs: %w", w.err)
	}
	return nil
}
