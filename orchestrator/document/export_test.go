package document

import "image"

// Access for the tests of single steps.

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

// FindSheet returns the corners of the sheet, as shares of the picture's sides.
func FindSheet(m image.Image) (corners [4][2]float64, ok bool) {
	found, ok := findSheet(photoOf(m).planes[0])
	for i, p := range found {
		corners[i] = [2]float64{p.x, p.y}
	}
	return corners, ok
}

// Even evens out the shadows of a picture.
func Even(m image.Image) image.Image {
	p := photoOf(m)
	p.even()
	width, height := p.size()
	return &image.YCbCr{Y: p.planes[0].pix, Cb: p.planes[1].pix, Cr: p.planes[2].pix, YStride: width, CStride: p.planes[1].stride,
		SubsampleRatio: image.YCbCrSubsampleRatio420, Rect: image.Rect(0, 0, width, height)}
}

// Shown returns the photograph at path in grey, turned as its EXIF data says.
func Shown(path string) (*image.Gray, error) {
	taken, turn, err := decodePhotograph(path)
	if err != nil {
		return nil, err
	}
	width, height := taken.size()
	shown := taken.cut(frame(float64(width), float64(height), turn), float64(max(width, height))).planes[0]
	return &image.Gray{Pix: shown.pix, Stride: shown.stride, Rect: image.Rect(0, 0, shown.width, shown.height)}, nil
}
