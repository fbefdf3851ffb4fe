package document

import "math"

// The edges of a sheet are searched for as straight lines along which the picture becomes brighter towards the sheet:
// paper is brighter than the table under it, also in shadow. Brightness is compared as a ratio. Letters, rules and
// stamps are removed first.
const (
	// wiped is half the width, in pixels, of the marks that are removed.
	wiped = 3
	// edgeStep is how far before and behind an edge, in pixels, the brightness is measured.
	edgeStep = 3
	// edgeRatio is the ratio of brightness that makes an edge.
	edgeRatio = 1.12
	// mostSlant is the largest angle, in degrees, between an edge and the side of the picture; slantStep is the step
	// between the angles tried.
	mostSlant, slantStep = 30.0, 1.5
	// edgesTried is how many of the strongest edges are tried on each side.
	edgesTried = 8
	// edgeShare is the share of a side that has to be an edge.
	edgeShare = 0.75
	// leastSheet is the smallest share of the picture that a sheet covers. leastCorner, in degrees, is the smallest
	// angle of a sheet, and 180° less leastCorner the largest.
	leastSheet  = 0.2
	leastCorner = 55.0
	// areaWeight is the score for covering the whole picture, where a side that is an edge everywhere scores 1.
	// Because of it the sheet is preferred to a frame printed on it.
	areaWeight = 1.2
	// edgeSamples is the number of points measured along each side.
	edgeSamples = 64
)

// findSheet finds the sheet of paper in a small picture and returns its corners as shares of the picture's width and
// height. ok is false if its edges are not clear on all four sides.
func findSheet(picture plane) (c corners, ok bool) {
	if min(picture.width, picture.height) < 16*edgeStep {
		return c, false
	}
	s := &sheetSearch{width: picture.width, height: picture.height, light: lightOf(picture)}
	lines := s.lines()
	best := 0.0
	for _, top := range lines[0] {
		for _, right := range lines[1] {
			upper := meet(top, right)
			for _, bottom := range lines[2] {
				for _, left := range lines[3] {
					candidate := corners{meet(top, left), upper, meet(bottom, right), meet(bottom, left)}
					if score := s.score(candidate); score > best {
						best, c, ok = score, candidate, true
					}
				}
			}
		}
	}
	if ok {
		c = s.refined(c)
	}
	return c.scaled(1/float64(s.width), 1/float64(s.height)), ok
}

// refined moves the ends of each side by a few pixels to where the brightness changes most.
func (s *sheetSearch) refined(c corners) corners {
	const most = 4 // pixels
	var sides [4]edge
	for i, from := range c {
		to := c[(i+1)%4]
		length := distance(from, to)
		normal := point{-(to.y - from.y) / length, (to.x - from.x) / length}
		best := math.Inf(-1)
		for a := -most; a <= most; a++ {
			for b := -most; b <= most; b++ {
				p := point{from.x + normal.x*float64(a), from.y + normal.y*float64(a)}
				q := point{to.x + normal.x*float64(b), to.y + normal.y*float64(b)}
				if step := s.step(p, q); step > best {
					best, sides[i] = step, edge{p, point{q.x - p.x, q.y - p.y}}
				}
			}
		}
	}
	return corners{meet(sides[3], sides[0]), meet(sides[0], sides[1]), meet(sides[1], sides[2]),
		meet(sides[2], sides[3])}
}

// step returns how much brighter the inside is than the outside, added up along a side.
func (s *sheetSearch) step(from, to point) float64 {
	sum := 0.0
	s.along(from, to, 1.5, func(inside, outside float64) { sum += inside - outside })
	return sum
}

type sheetSearch struct {
	width, height int
	light         []float64 // the logarithm of the brightness
}

// lightOf returns the brightness of a picture from which thin dark marks were removed.
func lightOf(picture plane) []float64 {
	closed := widened(widened(picture, wiped, func(a, b byte) byte {
		return max(a, b)
	}), wiped, func(a, b byte) byte { return min(a, b) })
	light := make([]float64, len(closed.pix))
	for i, g := range closed.pix {
		light[i] = math.Log(float64(g) + 8) // + 8 so that noise in dark areas makes no edge
	}
	// Removing marks leaves steps along slanted edges, which hide their angle.
	return softened(softened(light, closed.width, 1), closed.height, closed.width)
}

// softened averages each value with the two before and the two after it, in rows of this length whose values are
// apart positions from each other.
func softened(values []float64, length, apart int) []float64 {
	out := make([]float64, len(values))
	rows := len(values) / length
	for row := range rows {
		start := row * length
		if apart > 1 {
			start = row
		}
		for n := range length {
			sum, count := 0.0, 0.0
			for k := max(0, n-2); k <= min(n+2, length-1); k++ {
				sum += values[start+k*apart]
				count++
			}
			out[start+n*apart] = sum / count
		}
	}
	return out
}

// widened replaces each pixel with the largest or the smallest value in the square around it, as pick decides.
func widened(p plane, by int, pick func(a, b byte) byte) plane {
	rows, out := newPlane(p.width, p.height), newPlane(p.width, p.height)
	for y := range p.height {
		for x := range p.width {
			g := p.pix[y*p.stride+x]
			for n := max(0, x-by); n <= min(x+by, p.width-1); n++ {
				g = pick(g, p.pix[y*p.stride+n])
			}
			rows.pix[y*p.width+x] = g
		}
	}
	for y := range p.height {
		for x := range p.width {
			g := rows.pix[y*p.width+x]
			for n := max(0, y-by); n <= min(y+by, p.height-1); n++ {
				g = pick(g, rows.pix[n*p.width+x])
			}
			out.pix[y*p.width+x] = g
		}
	}
	return out
}

// edge is a line through the point at in a direction.
type edge struct{ at, direction point }

// meet returns the intersection of two lines.
func meet(a, b edge) point {
	cross := a.direction.x*b.direction.y - a.direction.y*b.direction.x
	if cross == 0 {
		return point{math.Inf(1), math.Inf(1)}
	}
	along := ((b.at.x-a.at.x)*b.direction.y - (b.at.y-a.at.y)*b.direction.x) / cross
	return point{a.at.x + along*a.direction.x, a.at.y + along*a.direction.y}
}

// lines returns the strongest edges of each side: top, right, bottom, left.
func (s *sheetSearch) lines() [4][]edge {
	tangents := tangents()
	var votes [4][]int
	long := s.width + s.height // more than the distance of any line from the middle
	for side := range votes {
		votes[side] = make([]int, len(tangents)*long)
	}
	least := math.Log(edgeRatio)
	for y := edgeStep; y < s.height-edgeStep; y++ {
		for x := edgeStep; x < s.width-edgeStep; x++ {
			at := y*s.width + x
			across := s.light[at+edgeStep] - s.light[at-edgeStep]
			down := s.light[at+edgeStep*s.width] - s.light[at-edgeStep*s.width]
			if max(math.Abs(across), math.Abs(down)) < least {
				continue
			}
			// A horizontal side is located by its height at the middle of the picture, a vertical one by its distance
			// from the left there.
			side, other := 0, 2
			steep, flat, place, along := down, across, float64(y), float64(x)-float64(s.width)/2
			if math.Abs(across) > math.Abs(down) {
				side, other = 3, 1
				steep, flat, place, along = across, down, float64(x), float64(y)-float64(s.height)/2
			}
			if steep < 0 {
				side = other
			}
			slant := math.Atan(-flat/steep) * 180 / math.Pi
			nearest := int(math.Round((slant + mostSlant) / slantStep))
			for n := max(0, nearest-2); n <= min(nearest+2, len(tangents)-1); n++ {
				if off := int(place-along*tangents[n]) + long/4; off >= 0 && off < long {
					votes[side][n*long+off]++
				}
			}
		}
	}
	var found [4][]edge
	for side := range votes {
		found[side] = s.strongest(votes[side], long, side == 1 || side == 3)
	}
	return found
}

// tangents returns the tangents of the slants that are tried.
func tangents() []float64 {
	var all []float64
	for slant := -mostSlant; slant <= mostSlant; slant += slantStep {
		all = append(all, math.Tan(slant*math.Pi/180))
	}
	return all
}

// strongest returns the lines with most votes, leaving out any that is nearly the same as a stronger one.
func (s *sheetSearch) strongest(votes []int, long int, upright bool) []edge {
	tangents := tangents()
	var found []edge
	for len(found) < edgesTried {
		best := 0
		for i, v := range votes {
			if v > votes[best] {
				best = i
			}
		}
		if votes[best] < min(s.width, s.height)/8 {
			break
		}
		slant, off := best/long, best%long
		tan := tangents[slant]
		place := float64(off-long/4) + 0.5
		if upright {
			found = append(found, edge{point{place, float64(s.height) / 2}, point{tan, 1}})
		} else {
			found = append(found, edge{point{float64(s.width) / 2, place}, point{1, tan}})
		}
		for n := slant - 4; n <= slant+4; n++ {
			for o := off - 2*edgeStep; o <= off+2*edgeStep; o++ {
				if i := n*long + o; n >= 0 && o >= 0 && o < long && i < len(votes) {
					votes[i] = 0
				}
			}
		}
	}
	return found
}

// score rates a candidate for the sheet; 0 rules it out.
func (s *sheetSearch) score(c corners) float64 {
	width, height := float64(s.width), float64(s.height)
	area := 0.0
	for i, p := range c {
		q := c[(i+1)%4]
		area += (p.x*q.y - q.x*p.y) / 2
		if p.x < -0.03*width || p.x > 1.03*width || p.y < -0.03*height || p.y > 1.03*height {
			return 0
		}
		if angle := corner(c[(i+3)%4], p, q); angle < leastCorner || angle > 180-leastCorner {
			return 0
		}
	}
	share := area / (width * height)
	if share < leastSheet {
		return 0
	}
	score := areaWeight * share
	for i, p := range c {
		support := s.support(p, c[(i+1)%4])
		if support < edgeShare {
			return 0
		}
		score += support
	}
	return score
}

// corner returns the angle at b, in degrees.
func corner(a, b, c point) float64 {
	one, other := math.Atan2(a.y-b.y, a.x-b.x), math.Atan2(c.y-b.y, c.x-b.x)
	angle := math.Abs(one-other) * 180 / math.Pi
	return min(angle, 360-angle)
}

// support returns the share of a side, given clockwise around the sheet, along which the inside is brighter.
func (s *sheetSearch) support(from, to point) float64 {
	least, good, seen := math.Log(edgeRatio), 0, 0
	s.along(from, to, edgeStep, func(inside, outside float64) {
		seen++
		if inside-outside >= least {
			good++
		}
	})
	if seen < edgeSamples/2 {
		return 0
	}
	return float64(good) / edgeSamples
}

// along calls look with the brightness at the distance off inside and outside a side, at each sampled point where
// both are within the picture.
func (s *sheetSearch) along(from, to point, off float64, look func(inside, outside float64)) {
	length := distance(from, to)
	inwards := point{-(to.y - from.y) / length * off, (to.x - from.x) / length * off}
	for n := range edgeSamples {
		share := (float64(n) + 0.5) / edgeSamples
		x, y := from.x+(to.x-from.x)*share, from.y+(to.y-from.y)*share
		inside, ok := s.at(x+inwards.x, y+inwards.y)
		outside, also := s.at(x-inwards.x, y-inwards.y)
		if ok && also {
			look(inside, outside)
		}
	}
}

func (s *sheetSearch) at(x, y float64) (light float64, ok bool) {
	if x < 0 || y < 0 || int(x) >= s.width || int(y) >= s.height {
		return 0, false
	}
	return s.light[int(y)*s.width+int(x)], true
}
