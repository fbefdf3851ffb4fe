package document

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/otiai10/gosseract/v2"
)

// DefaultScale is the render scale that gave the best results when measured.
const DefaultScale = 3

// english is required and always tried first: most notices are in English only.
const english = "eng"

// recogniser is a Tesseract instance that is reused from page to page.
type recogniser struct {
	tesseract *gosseract.Client
	languages []string // English first
	using     int      // how many of them are in use
	mixed     bool     // the previous page had letters of other scripts
}

// reading is the text recognised on a page.
type reading struct {
	text       string
	words      []Word
	confidence float64 // 0..1
	languages  string
	strange    int // the number of words that may be in another script
}

// NotInstalled returns the wanted recognition languages for which Tesseract has no data.
func NotInstalled(wanted []string) ([]string, error) {
	installed, err := gosseract.GetAvailableLanguages()
	if err != nil {
		return nil, fmt.Errorf("look for Tesseract's languages: %w", err)
	}
	return slices.DeleteFunc(slices.Clone(wanted), func(l string) bool { return slices.Contains(installed, l) }), nil
}

// newRecogniser returns a recogniser for English and those of the other wanted languages that are installed.
func newRecogniser(wanted []string) (*recogniser, error) {
	installed, err := gosseract.GetAvailableLanguages()
	if err != nil {
		return nil, fmt.Errorf("look for Tesseract's languages: %w", err)
	}
	if !slices.Contains(installed, english) {
		return nil, errors.New("Tesseract has no English data: install tesseract-ocr-eng")
	}
	r := &recogniser{tesseract: gosseract.NewClient(), languages: []string{english}}
	for _, language := range wanted {
		if slices.Contains(installed, language) && !slices.Contains(r.languages, language) {
			r.languages = append(r.languages, language)
		}
	}
	return r, nil
}

// use sets Tesseract to the first n languages.
func (r *recogniser) use(n int) error {
	if r.using == n {
		return nil
	}
	r.using = n
	return r.tesseract.SetLanguage(r.languages[:n]...)
}

const (
	// Another script read as English gives words of low confidence, in percent: a page half in Hindi had 46 words
	// below strangeConfidence, bad scans of English pages at most two.
	strangeConfidence = 40
	strangeWords      = 4
	// overConfidence is not reached by a page that is upside down: Tesseract finds letters in it but is not sure of
	// them.
	overConfidence = 0.6
)

// read recognises a page in any of the languages, whichever way up it is.
//
// Tesseract takes a third longer for English and Hindi together than for English alone, and reads English worse, so
// the other languages are used only if English does not fit, or if the previous page needed them. Tesseract itself
// finds lines that run down the page. A page that makes no sense is turned over and tried again, which needs no
// orientation data and costs nothing for upright pages.
func (r *recogniser) read(picture *pixels, scale float64) (reading, error) {
	languages := 1
	if r.mixed {
		languages = len(r.languages)
	}
	best, err := r.recognise(picture, scale, languages)
	if err != nil {
		return best, err
	}
	if best.strange >= strangeWords && languages < len(r.languages) {
		languages = len(r.languages)
		if best, err = r.better(best, picture, scale, languages); err != nil {
			return best, err
		}
	}
	if best.confidence < overConfidence {
		picture.turnOver()
		if best, err = r.better(best, picture, scale, languages); err != nil {
			return best, err
		}
	}
	r.mixed = strings.IndexFunc(best.text, func(c rune) bool {
		return unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c)
	}) >= 0
	return best, nil
}

// better recognises the picture again and returns the better of than and the new reading.
func (r *recogniser) better(than reading, picture *pixels, scale float64, languages int) (reading, error) {
	other, err := r.recognise(picture, scale, languages)
	if err != nil || other.worth() <= than.worth() {
		return than, err
	}
	return other, nil
}

func (r *recogniser) recognise(picture *pixels, scale float64, languages int) (reading, error) {
	if err := r.use(languages); err != nil {
		return reading{}, fmt.Errorf("load languages: %w", err)
	}
	words, err := r.words(picture, scale)
	if err != nil {
		return reading{}, fmt.Errorf("recognise text: %w", err)
	}
	seen := compose(setUpright(words, picture.width, picture.height), scale)
	seen.languages = strings.Join(r.languages[:languages], "+")
	return seen, nil
}

// seenWord is a word that Tesseract found in the picture, and its position on the page.
type seenWord struct {
	gosseract.BoundingBox
	place Box
}

// words returns the words that Tesseract finds in the picture as it is.
func (r *recogniser) words(picture *pixels, scale float64) ([]seenWord, error) {
	if err := r.tesseract.SetImageFromBytes(picture.serialise()); err != nil {
		return nil, err
	}
	for name, value := range map[gosseract.SettableVariable]string{
		"tessedit_pageseg_mode": "3",                           // SetPageSegMode before the first page would be ignored
		"user_defined_dpi":      strconv.Itoa(int(72 * scale)), // if Tesseract has to guess it, whole tables are lost
	} {
		if err := r.tesseract.SetVariable(name, value); err != nil {
			return nil, err
		}
	}
	boxes, err := r.tesseract.GetBoundingBoxesVerbose()
	words := make([]seenWord, len(boxes))
	for i, b := range boxes {
		words[i] = seenWord{b, picture.place(b.Box)}
	}
	return words, err
}

// worth measures how good a reading is, to choose between two.
func (r reading) worth() float64 { return r.confidence * float64(sound(r.text)) }

const (
	// A layer that reads well has no misread letters, so recognition must find this much more. A layer that does not
	// read well may still have half as many plausible words by chance.
	beatsUnsure     = 1.2
	beatsDistrusted = 0.5
)

// beats reports whether the reading is a better text of its page than the layer, given the verdict on the layer.
func (r reading) beats(layer string, judged verdict) bool {
	if judged == unsure {
		return r.worth() > beatsUnsure*float64(sound(layer))
	}
	return r.worth() > beatsDistrusted*float64(sound(layer))
}

// setUpright rotates the boxes of words so that their lines run to the right; the order of the words shows where the
// lines run now.
func setUpright(words []seenWord, width, height int) []seenWord {
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

func sameLine(a, b seenWord) bool {
	return a.BlockNum == b.BlockNum && a.ParNum == b.ParNum && a.LineNum == b.LineNum
}

func compose(words []seenWord, scale float64) reading {
	var lines []line
	var sum, chars float64
	strange := 0
	for i := 0; i < len(words); {
		first := words[i]
		end := i + 1
		for end < len(words) && sameLine(first, words[end]) {
			end++
		}
		for _, w := range words[i:end] {
			n := float64(len([]rune(w.Word)))
			sum += n * w.Confidence / 100
			chars += n
			if w.Confidence < strangeConfidence && isStrange(w.Word) {
				strange++
			}
		}
		lines = append(lines, composeLine(words[i:end], scale)...)
		i = end
	}
	if chars == 0 {
		return reading{}
	}
	text, placed := arrange(lines)
	return reading{text: text, words: placed, confidence: sum / chars, strange: strange}
}

const (
	// ruleSigns are remains of a table's rules that were read as characters.
	ruleSigns = "|¦"
	// wordGap, in line heights, is more than the space between words of a justified line.
	wordGap = 1.0
	// sureSign is the confidence, in percent, below which a word without letters and digits is a speck or part of a
	// rule.
	sureSign = 70
)

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isStrange reports whether a word of low confidence may be in another script. Words with digits do not count,
// because codes and amounts have low confidence in any script.
func isStrange(word string) bool {
	letters := 0
	for _, c := range word {
		if unicode.IsDigit(c) {
			return false
		}
		if unicode.IsLetter(c) {
			letters++
		}
	}
	return letters >= 3
}

func composeLine(words []seenWord, scale float64) []line {
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
			last := &lines[n-1]
			last.text += " " + text
			last.words = append(last.words,
				Word{len(last.text) - len(text), len(last.text), w.place, w.Confidence / 100})
			last.x1 = x1
			continue
		}
		lines = append(lines, line{x0: x0, y0: y0, x1: x1, y1: y1, dx: 1, size: size, block: w.BlockNum, text: text,
			words: []Word{{0, len(text), w.place, w.Confidence / 100}}})
	}
	return lines
}
