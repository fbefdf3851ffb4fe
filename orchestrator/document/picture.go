package document

import (
	"encoding/binary"
	"image"
	"math"
	"slices"
)

const (
	// sketchPixels is the size of the reduced page image that is examined before recognition.
	sketchPixels = 500_000
	// leastPixels and mostPixels limit the picture that is recognised: A4 at 144 and at 300 dpi. They are needed
	// because some scanners write a page of 2,480 × 3,508 points and others one of 300 × 400.
	leastPixels = 2_000_000
	mostPixels  = 8_700_000
	// longestSide limits the longer side of a picture, in pixels, for pages that are very long and narrow.
	longestSide = 20_000
	// leastInk, in pixels of the reduced page image, is more than dust.
	leastInk = 25
	// explainedShare is the largest share of a page's ink that may lie outside its text if the text is complete; the
	// rest is rules, logos and signatures.
	explainedShare = 0.5
	// contrast, in grey levels, distinguishes ink from paper.
	contrast = 64
)

func sketchScale(width, height float64) float64 {
	return scaleTo(sketchPixels, width, height)
}

// renderScale returns the wanted scale, within the limits of what can be recognised.
func renderScale(wanted, width, height float64) float64 {
	return min(max(wanted, scaleTo(leastPixels, width, height)), scaleTo(mostPixels, width, height))
}

// scaleTo returns the scale at which a page has that many pixels, or fewer if it is very long.
func scaleTo(pixels, width, height float64) float64 {
	return min(math.Sqrt(pixels/max(1, width*height)), longestSide/max(1, width, height))
}

// paper returns the commonest grey of the picture.
func (p *pixels) paper() int {
	var histogram [256]int
	for _, g := range p.gray {
		histogram[g]++
	}
	best := 0
	for g, n := range histogram {
		if n > histogram[best] {
			best = g
		}
	}
	return best
}

func isInk(gray byte, paper int) bool {
	d := int(gray) - paper
	return d > contrast || d < -contrast
}

// ink counts the ink pixels of a reduced page image, all of them and those outside the text of the layer.
type ink struct{ total, beside int }

// measure counts the page's ink and how much of it is outside the layer's lines.
func measure(sketch *pixels, l *layer) ink {
	scale := float64(sketch.width) / max(1, l.width)
	under := make([]bool, len(sketch.gray))
	for _, line := range l.lines {
		if line.text == "" {
			continue
		}
		x0, x1 := max(0, int(line.x0*scale)-2), min(sketch.width, int(line.x1*scale)+3)
		y0, y1 := max(0, int(line.y0*scale)-2), min(sketch.height, int(line.y1*scale)+3)
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				under[y*sketch.width+x] = true
			}
		}
	}
	paper := sketch.paper()
	var i ink
	for at, gray := range sketch.gray {
		if isInk(gray, paper) {
			i.total++
			if !under[at] {
				i.beside++
			}
		}
	}
	if i.total < leastInk {
		return ink{}
	}
	return i
}

func (i ink) explained() bool { return float64(i.beside) <= explainedShare*float64(i.total) }

// serialise returns the picture in Leptonica's memory format, which Leptonica reads without conversion. It reads
// other uncompressed formats pixel by pixel, which takes a twentieth of the time of recognition.
func (p *pixels) serialise() []byte {
	words := (p.width + 3) / 4 // a row consists of words of four pixels, the first in the highest byte
	out := append(make([]byte, 0, 28+4*words*p.height), "spix"...)
	for _, n := range []int{p.width, p.height, 8, words, 0, 4 * words * p.height} {
		out = binary.NativeEndian.AppendUint32(out, uint32(n))
	}
	row := make([]byte, 4*words)
	for y := range p.height {
		copy(row, p.gray[y*p.width:(y+1)*p.width])
		for i := 0; i < len(row); i += 4 {
			out = binary.NativeEndian.AppendUint32(out, binary.BigEndian.Uint32(row[i:]))
		}
	}
	return out
}

// turnOver turns the picture by 180°.
func (p *pixels) turnOver() {
	slices.Reverse(p.gray)
	p.from.degrees += 180
}

// place returns the position on the page of a part of its picture.
func (p *pixels) place(part image.Rectangle) Box {
	sin, cos := math.Sincos(p.from.degrees * math.Pi / 180)
	box := Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, corner := range []image.Point{part.Min, {part.Max.X, part.Min.Y}, {part.Min.X, part.Max.Y}, part.Max} {
		x := (float64(corner.X) - float64(p.width)/2) / p.from.scale
		y := (float64(corner.Y) - float64(p.height)/2) / p.from.scale
		x, y = x*cos+y*sin, y*cos-x*sin
		at := point{p.from.width/2 + x, p.from.height/2 + y}
		if p.from.onto != nil {
			at = p.from.onto.at(x/float64(p.width)+0.5, y/float64(p.height)+0.5)
		}
		box = box.union(Box{at.x, at.y, at.x, at.y})
	}
	return box
}

const (
	// mostTilt, in degrees, is the largest tilt searched for, to either side.
	mostTilt = 5.0
	// leastTilt and less is not corrected, because turning blurs the letters a little.
	leastTilt = 0.3
	// tiltMargin is the share of the reduced page image ignored on each side, where scanners leave dark edges.
	tiltMargin = 0.05
	// tiltPoints is how many points of ink are examined at most.
	tiltPoints = 40_000
)

// tilt returns by how many degrees to turn the page clockwise so that its lines are level, or vertical if they run
// down the page.
func tilt(sketch *pixels) float64 {
	degrees, _ := slope(sketch)
	return degrees
}

// slope returns the tilt of a page and whether its lines run down the page. It is the angle at which rows of ink and
// of paper differ most.
func slope(sketch *pixels) (degrees float64, sideways bool) {
	level := inkPoints(sketch)
	if len(level) < 20*leastInk {
		return 0, false
	}
	step := max(1, len(level)/tiltPoints)
	turned := make([]point, 0, tiltPoints+1)
	for i := 0; i < len(level); i += step {
		turned = append(turned, point{level[i].y, -level[i].x})
		level[i/step] = level[i]
	}
	level = level[:len(turned)]
	best, sharpness := sharpest(level)
	if other, more := sharpest(turned); more > sharpness {
		best, sideways = other, true
	}
	if math.Abs(best) < leastTilt {
		best = 0
	}
	return best, sideways
}

type point struct{ x, y float64 }

func inkPoints(sketch *pixels) []point {
	paper := sketch.paper()
	var points []point
	mx, my := int(float64(sketch.width)*tiltMargin), int(float64(sketch.height)*tiltMargin)
	for y := my; y < sketch.height-my; y++ {
		for x := mx; x < sketch.width-mx; x++ {
			if isInk(sketch.gray[y*sketch.width+x], paper) {
				points = append(points, point{float64(x), float64(y)})
			}
		}
	}
	return points
}

// sharpest returns the slope, in degrees, along which the points form the sharpest rows, and their sharpness. Level
// rows get a small bonus.
func sharpest(points []point) (degrees, sharpness float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = min(low, p.y-math.Abs(p.x)/8), max(high, p.y+math.Abs(p.x)/8)
	}
	rows := make([]float64, int(high-low)+2)
	along := func(degrees float64) float64 {
		clear(rows)
		slope := math.Tan(degrees * math.Pi / 180)
		for _, p := range points {
			rows[int(p.y+p.x*slope-low)]++
		}
		var sum float64
		for i := 1; i < len(rows); i++ {
			sum += (rows[i] - rows[i-1]) * (rows[i] - rows[i-1])
		}
		return sum
	}
	sharpness = along(0) * 1.05
	search := func(from, to, by float64) {
		for d := from; d <= to; d += by {
			if s := along(d); s > sharpness {
				degrees, sharpness = d, s
			}
		}
	}
	search(-mostTilt, mostTilt, 0.25)
	search(degrees-0.2, degrees+0.2, 0.05)
	return degrees, sharpness
}

const (
	// The rules of a table are longer, in points, than the strokes of letters: horizontal ones are longer than the
	// joined letters of a blurred word, vertical ones than a capital letter.
	ruleAcross, ruleDown = 60, 30
	// ruleWidth, in points, is wider than a rule and narrower than a stamp or a photograph.
	ruleWidth = 2
	// ruleGap is the largest gap in a rule, in pixels.
	ruleGap = 1
)

// eraseRules paints the rules of tables white. Tesseract removes rules too, but takes some for letters, and some
// ruled tables for pictures.
func (p *pixels) eraseRules(scale float64) {
	paper := p.paper()
	dark := make([]bool, len(p.gray))
	for i, g := range p.gray {
		dark[i] = int(g) < paper-contrast
	}
	across := strips{count: p.height, length: p.width, next: p.width, step: 1}
	down := strips{count: p.width, length: p.height, next: 1, step: p.width}
	p.eraseAlong(across, dark, byte(paper), int(ruleAcross*scale), int(ruleWidth*scale))
	p.eraseAlong(down, dark, byte(paper), int(ruleDown*scale), int(ruleWidth*scale))
}

// strips are the rows or the columns of a picture: their count, their length, the distance in bytes from one to the
// next, and from one pixel to the next within one.
type strips struct{ count, length, next, step int }

// eraseAlong erases dark runs of at least the given length along the strips, where they are narrower than width.
func (p *pixels) eraseAlong(s strips, dark []bool, paper byte, length, width int) {
	for n := range s.count {
		strip := n * s.next
		for from := 0; from < s.length; from++ {
			if !dark[strip+from*s.step] {
				continue
			}
			to, gap := from, 0 // the first and last dark pixel of the run
			for i := from + 1; i < s.length && gap <= ruleGap; i++ {
				if dark[strip+i*s.step] {
					to, gap = i, 0
				} else {
					gap++
				}
			}
			if to-from >= length {
				for i := from; i <= to; i++ {
					p.eraseAcross(s, dark, paper, n, i*s.step, width)
				}
			}
			from = to
		}
	}
}

// eraseAcross erases one pixel of a run along strip n, and the grey ones beside it, if the run is thin there.
func (p *pixels) eraseAcross(s strips, dark []bool, paper byte, n, point, width int) {
	first, last := n, n
	for first > 0 && last-first <= width && dark[(first-1)*s.next+point] {
		first--
	}
	for last < s.count-1 && last-first <= width && dark[(last+1)*s.next+point] {
		last++
	}
	if last-first >= width {
		return
	}
	for k := max(0, first-1); k <= min(s.count-1, last+1); k++ {
		p.gray[k*s.next+point] = paper
		dark[k*s.next+point] = false
	}
}
