// Command make builds the documents of the evaluation cases: each src/*.html becomes a PDF of the same name next to
// src, printed by Chromium. Sources whose first line says "scan" are then rendered, rotated slightly, greyed and
// speckled, and stored only as images, like the output of an office scanner. The same Chromium makes the same files
// from the same sources, except that the position of a Hindi letter is sometimes rounded differently. made.sum has the
// hashes of the sources, so that a test notices a PDF that was not rebuilt.
//
// It needs the Debian packages chromium, fonts-liberation and fonts-lohit-deva.
//
// Usage: go run ./evals/documents/make [name …]
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gen2brain/go-fitz"
)

func main() {
	log.SetFlags(0)
	if err := run("evals/documents", os.Args[1:]); err != nil {
		log.Fatal("munshi: " + err.Error())
	}
}

func run(folder string, names []string) error {
	sources, err := filepath.Glob(filepath.Join(folder, "src", "*.html"))
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		return fmt.Errorf("there are no sources in %s/src: start this from the top of the repository", folder)
	}
	var sums strings.Builder
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".html")
		html, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(html), name)
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		pdf, err := printed(source)
		if err == nil && scanned.Match(html) {
			pdf, err = scan(pdf, name)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+".pdf"), pdf, 0o644)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		log.Printf("%7d bytes  %s", len(pdf), name)
	}
	return os.WriteFile(filepath.Join(folder, "made.sum"), []byte(sums.String()), 0o644)
}

var scanned = regexp.MustCompile(`\A<!-- scan`)

// written matches the dates and the producer that Chromium writes into a PDF.
var written = regexp.MustCompile(`/(CreationDate|ModDate) ?\(D:[^)]*\)`)

// printed returns the PDF that Chromium prints from a source.
func printed(source string) ([]byte, error) {
	source, err := filepath.Abs(source)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "munshi-eval-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out := filepath.Join(scratch, "out.pdf")
	chromium := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-background-networking", "--allow-file-access-from-files", "--no-pdf-header-footer",
		"--user-data-dir="+scratch, "--print-to-pdf="+out, "file://"+source)
	if said, err := chromium.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("print with Chromium: %w\n%s", err, said)
	}
	pdf, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("Chromium printed nothing: %w", err)
	}
	// the length must not change, since the file stores byte offsets
	return written.ReplaceAllFunc(pdf, func(date []byte) []byte {
		from := bytes.Index(date, []byte("D:")) + 2
		copy(date[from:len(date)-1], "20261122000000+00'00'")
		return date
	}), nil
}

// scan renders each page and builds a PDF of the images.
func scan(pdf []byte, name string) ([]byte, error) {
	document, err := fitz.NewFromMemory(pdf)
	if err != nil {
		return nil, fmt.Errorf("open what Chromium printed: %w", err)
	}
	defer func() { _ = document.Close() }()
	hash := sha256.Sum256([]byte(name))
	chance := rand.New(rand.NewChaCha8(hash))
	var pages [][]byte
	var sizes []image.Point
	for n := range document.NumPage() {
		page, err := document.ImageDPI(n, 150)
		if err != nil {
			return nil, fmt.Errorf("draw page %d: %w", n+1, err)
		}
		var picture bytes.Buffer
		if err := jpeg.Encode(&picture, spoil(page, chance), &jpeg.Options{Quality: 42}); err != nil {
			return nil, err
		}
		pages, sizes = append(pages, picture.Bytes()), append(sizes, page.Bounds().Size())
	}
	return ofPictures(pages, sizes), nil
}

// spoil makes a clean page look scanned: rotated by up to a degree, grey paper, faded ink, specks.
func spoil(page image.Image, chance *rand.Rand) *image.Gray {
	size := page.Bounds().Size()
	angle := (0.35 + 0.6*chance.Float64()) * math.Pi / 180
	if chance.IntN(2) == 0 {
		angle = -angle
	}
	sin, cos := math.Sincos(angle)
	paper := 226 + chance.Float64()*14
	out := image.NewGray(image.Rect(0, 0, size.X, size.Y))
	grey := func(x, y int) float64 {
		if x < 0 || y < 0 || x >= size.X || y >= size.Y {
			return 255
		}
		return float64(color.GrayModel.Convert(page.At(x, y)).(color.Gray).Y)
	}
	for y := range size.Y {
		for x := range size.X {
			dx, dy := float64(x-size.X/2), float64(y-size.Y/2)
			fx, fy := cos*dx+sin*dy+float64(size.X/2), -sin*dx+cos*dy+float64(size.Y/2)
			x0, y0 := int(math.Floor(fx)), int(math.Floor(fy))
			tx, ty := fx-float64(x0), fy-float64(y0)
			ink := (1-ty)*((1-tx)*grey(x0, y0)+tx*grey(x0+1, y0)) + ty*((1-tx)*grey(x0, y0+1)+tx*grey(x0+1, y0+1))
			shade := paper - 10*float64(x)/float64(size.X)            // one side of the paper is darker
			value := 45 + (shade-45)*ink/255 + chance.NormFloat64()*3 // ink is never black
			if chance.IntN(9000) == 0 {
				value -= 110
			}
			out.SetGray(x, y, color.Gray{Y: uint8(math.Max(0, math.Min(255, value)))})
		}
	}
	return out
}

// ofPictures returns a PDF with one JPEG on each page and nothing else.
func ofPictures(pages [][]byte, sizes []image.Point) []byte {
	var out, table, kids bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	count := 0
	object := func(text string) int {
		count++
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", count, text)
		return count
	}
	object("<</Type/Catalog/Pages 2 0 R>>")
	const draw = "q 595 0 0 842 0 0 cm /P Do Q"
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 5+3*i)
	}
	object(fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(pages), kids.String()))
	for i, page := range pages {
		picture := object(fmt.Sprintf("<</Type/XObject/Subtype/Image/Width %d/Height "+
			"%d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Length %d>>stream\n%s\nendstream",
			sizes[i].X, sizes[i].Y, len(page), page))
		content := object(fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(draw), draw))
		object(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</P %d 0 "+
			"R>>>>/Contents %d 0 R>>", picture, content))
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n",
		count+1, table.String(), count+1, start)
	return out.Bytes()
}
