package document

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"unicode"

	"github.com/otiai10/gosseract/v2"
)

// DefaultScale is the render scale that measured best.
const DefaultScale = 3

// recogniser is a Tesseract that is kept from page to page.
type recogniser struct {
	tesseract *gosseract.Client
	languages string
}

// reading is what was recognised on a page.
type reading struct {
	text       string
	confidence float64
}

func newRecogniser(wanted []string) (*recogniser, error) {
	installed, err := gosseract.GetAvailableLanguages()
	if err != nil {
		return nil, fmt.Errorf("look for Tesseract's languages: %w", err)
	}
	var languages []string
	for _, language := range wanted {
		if slices.Contains(installed, language) {
			languages = append(languages, language)
		}
	}
	if !slices.Contains(languages, "eng") {
		return nil, errors.New("Tesseract has no English data: install tesseract-ocr-eng")
	}
	r := &recogniser{
		tesseract: gosseract.NewClient(),
		languages: strings.Join(languages, "+"),
	}
	return r, r.tesseract.SetLanguage(languages...)
}

// overConfidence is what a page that stands on its head does not reach:
// Tesseract makes letters of it, but is not sure of them.
const overConfidence = 0.6

// read recognises a page, whichever of its sides is up. Tesseract itself finds
// lines that run down; what makes no sense is turned over and tried again, which
// needs no orientation data and costs upright pages nothing.
func (r *recogniser) read(picture *pixels, scale float64) (reading, error) {
	seen, err := r.recognise(picture, scale)
	if err != nil || seen.confidence >= overConfidence {
		return seen, err
	}
	picture.turnOver()
	over, err := r.recognise(picture, scale)
	if err != nil || over.worth() <= seen.worth() {
		return seen, err
	}
	return over, nil
}

func (r *recogniser) recognise(picture *pixels, scale float64) (reading, error) {
	words, err := r.words(picture, scale)
	if err != nil {
		return reading{}, fmt.Errorf("recognise text: %w", err)
	}
	return compose(setUpright(words, picture.width, picture.height), scale), nil
}

// worth is what to choose between two readings by.
func (r reading) worth() float64 { return r.confidence * float64(sound(r.text)) }

const (
	// A layer that reads well has no misread letter: recognition must find this
	// much more. One that does not read well may still hold half as many sound
	// words by chance.
	beatsUnsure     = 1.2
	beatsDistrusted = 0.5
)

// beats says whether the reading is a better text of its page than the layer that was judged so.
func (r reading) beats(layer string, judged verdict) bool {
	if judged == unsure {
		return r.worth() > beatsUnsure*float64(sound(layer))
	}
	return r.worth() > beatsDistrusted*float64(sound(layer))
}

// setUpright turns words, whose order shows where their lines run to, so that they run to the right.
func setUpright(words []gosseract.BoundingBox, width, height int) []gosseract.BoundingBox {
	var right, down int
	for i := 1; i < len(words); i++ {
		if a, b := words[i-1], words[i]; sameLine(a, b) {
			right += (b.Box.Min.X + b.Box.Max.X) - (a.Box.Min.X + a.Box.Max.X)
			down += (b.Box.Min.Y + b.Box.Max.Y) - (a.Box.Min.Y + a.Box.Max.Y)
		}
	}
	for i, w := range words {
		b := w.Box
		switch {
		case right >= max(down, -down):
			return words
		case -right >= max(down, -down):
			words[i].Box = image.Rect(width-b.Min.X, height-b.Min.Y, width-b.Max.X, height-b.Max.Y)
		case down > 0:
			words[i].Box = image.Rect(b.Min.Y, width-b.Min.X, b.Max.Y, width-b.Max.X)
		default:
			words[i].Box = image.Rect(height-b.Min.Y, b.Min.X, height-b.Max.Y, b.Max.X)
		}
	}
	return words
}

func sameLine(a, b gosseract.BoundingBox) bool {
	return a.BlockNum == b.BlockNum && a.ParNum == b.ParNum && a.LineNum == b.LineNum
}

func (r *recogniser) words(picture *pixels, scale float64) ([]gosseract.BoundingBox, error) {
	pgm := fmt.Appendf(make([]byte, 0, len(picture.gray)+32), "P5\n%d %d\n255\n", picture.width, picture.height)
	if err := r.tesseract.SetImageFromBytes(append(pgm, picture.gray...)); err != nil {
		return nil, err
	}
	for name, value := range map[gosseract.SettableVariable]string{
		"tessedit_pageseg_mode": "3", // SetPageSegMode before the first page would be ignored
		"user_defined_dpi":      fmt.Sprint(int(72 * scale)),
	} {
		if err := r.tesseract.SetVariable(name, value); err != nil {
			return nil, err
		}
	}
	return r.tesseract.GetBoundingBoxesVerbose()
}

func compose(words []gosseract.BoundingBox, scale float64) reading {
	var lines []line
	var sum, chars float64
	for i := 0; i < len(words); {
		first := words[i]
		end := i + 1
		for end < len(words) && sameLine(first, words[end]) {
			end++
		}
		lines = append(lines, composeLine(words[i:end], scale)...)
		for _, w := range words[i:end] {
			n := float64(len([]rune(w.Word)))
			sum += n * w.Confidence / 100
			chars += n
		}
		i = end
	}
	if chars == 0 {
		return reading{}
	}
	return reading{arrange(lines), sum / chars}
}

const (
	// ruleSigns are what is left of a table's rules, read as letters.
	ruleSigns = "|¦"
	// wordGap, in line heights, is more than the space between the words of a justified line.
	wordGap = 1.0
	// sureSign is the confidence, in percent, below which a word of nothing but signs is a speck or the rest of a rule.
	sureSign = 70
)

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func composeLine(words []gosseract.BoundingBox, scale float64) []line {
	box := words[0].Box
	for _, w := range words {
		box = box.Union(w.Box)
	}
	y0, y1 := float64(box.Min.Y)/scale, float64(box.Max.Y)/scale
	size := y1 - y0
	var lines []line
	for _, w := range words {
		text := strings.Trim(w.Word, ruleSigns)
		if text == "" || w.Confidence < sureSign && strings.IndexFunc(text, isWordRune) < 0 {
			continue
		}
		x0, x1 := float64(w.Box.Min.X)/scale, float64(w.Box.Max.X)/scale
		if n := len(lines); n > 0 && x0-lines[n-1].x1 < wordGap*size {
			lines[n-1].text += " " + text
			lines[n-1].x1 = x1
			continue
		}
		lines = append(lines, line{x0: x0, y0: y0, x1: x1, y1: y1, dx: 1, size: size, block: w.BlockNum, text: text})
	}
	return lines
}
