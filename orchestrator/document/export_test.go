package document

// What the tests of single steps use.

type (
	Line    = line
	Layer   = layer
	Font    = font
	Pixels  = pixels
	Verdict = verdict
)

const (
	Trusted    = trusted
	Unsure     = unsure
	Distrusted = distrusted
)

var (
	Clean       = clean
	Judge       = judge
	Sound       = sound
	Tilt        = tilt
	RenderScale = renderScale
)

func NewLine(x0, y0, x1, y1, dx, dy, size float64, block int, text string) Line {
	return line{x0: x0, y0: y0, x1: x1, y1: y1, dx: dx, dy: dy, size: size, block: block, text: text}
}

func NewLayer(imageShare float64, hidden bool, font string, text string) *Layer {
	l := &layer{imageShare: imageShare}
	for _, r := range text {
		if r != ' ' && r != '\n' {
			l.chars++
		}
	}
	if hidden {
		l.hidden = l.chars
	}
	l.fonts = []Font{{font, l.chars}}
	return l
}

func NewPixels(width, height int, gray []byte) *Pixels {
	return &pixels{width: width, height: height, gray: gray}
}

func (p *pixels) EraseRules(scale float64) []byte {
	p.eraseRules(scale)
	return p.gray
}

func Arrange(lines []Line) string {
	text, _ := arrange(lines)
	return text
}
