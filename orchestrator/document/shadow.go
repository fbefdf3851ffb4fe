package document

import (
	"slices"
)

const (
	// squaresAlong is the number of squares along the longer side of a picture. The brightness of the paper is
	// measured in each square.
	squaresAlong = 80
	// paperRank, in percent, is the percentile of a square's pixels that is taken as the brightness of its paper.
	paperRank = 90
	// evenPaper is the grey that paper is brightened to, and mostGain the largest factor by which a pixel is
	// brightened.
	evenPaper = 245
	mostGain  = 3.5
	// leastPaper is the percentage of pixels that must be at least nearPaper times as bright as the paper of their
	// square for the picture to be a page. A photograph of goods or of a lorry stays as it is.
	leastPaper = 55
	nearPaper  = 0.8
	// shadedPaper is the ratio of the darkest to the brightest paper below which a page is shaded; shadedRank percent
	// of the squares at either end are ignored.
	shadedPaper = 0.8
	shadedRank  = 3
)

// even makes the paper of a page equally bright and removes its tint, provided that shadows and light change
// smoothly.
func (p photo) even() {
	side := p.side()
	paper := p.paper(side)
	if !p.isPage(paper[0], side) {
		return
	}
	for i := 1; i < len(p.planes); i++ {
		p.planes[i].clear(paper[i], paper[0], max(1, side/2))
	}
	p.planes[0].brighten(paper[0], side)
}

// side returns the side, in pixels, of the squares in which the brightness of the paper is measured.
func (p photo) side() int {
	width, height := p.size()
	return 2 * max(2, max(width, height)/squaresAlong/2)
}

// isShaded reports whether the paper of a page is much darker in some places than in others.
func (p photo) isShaded() bool {
	side := p.side()
	paper := p.paper(side)[0]
	light := slices.Sorted(slices.Values(paper.values))
	darkest, brightest := light[len(light)*shadedRank/100], light[len(light)*(100-shadedRank)/100]
	return darkest < shadedPaper*brightest && p.isPage(paper, side)
}

func gain(paper float64) float64 { return min(evenPaper/max(1, paper), mostGain) }

// grid has a value for each square of a picture.
type grid struct {
	width, height int
	values        []float64
}

func newGrid(width, height, side int) grid {
	w, h := max(1, (width+side-1)/side), max(1, (height+side-1)/side)
	return grid{width: w, height: h, values: make([]float64, w*h)}
}

// paper measures the brightness of the paper in each square and, for a colour picture, its tint.
func (p photo) paper(side int) []grid {
	luma := p.planes[0]
	grids := make([]grid, len(p.planes))
	for i := range grids {
		grids[i] = newGrid(luma.width, luma.height, side)
	}
	bright := grids[0]
	for cy := range bright.height {
		for cx := range bright.width {
			var histogram [256]int
			n := 0
			for y := cy * side; y < min((cy+1)*side, luma.height); y++ {
				for _, g := range luma.pix[y*luma.stride+cx*side : y*luma.stride+min((cx+1)*side, luma.width)] {
					histogram[g]++
					n++
				}
			}
			grey, below := 0, histogram[0]
			for grey < 255 && below*100 < n*paperRank {
				grey++
				below += histogram[grey]
			}
			bright.values[cy*bright.width+cx] = float64(grey)
			for i := 1; i < len(p.planes); i++ {
				grids[i].values[cy*bright.width+cx] = p.planes[i].middle(cx*side/2, cy*side/2, max(1, side/2))
			}
		}
	}
	// A square that is all ink takes the brightness of the squares around it.
	grids[0] = bright.each(func(around []float64) float64 { return slices.Max(around) })
	for i := range grids {
		for range 2 {
			grids[i] = grids[i].each(mean)
		}
	}
	return grids
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// middle returns the median of a square.
func (p plane) middle(x0, y0, side int) float64 {
	var histogram [256]int
	n := 0
	for y := y0; y < min(y0+side, p.height); y++ {
		for x := x0; x < min(x0+side, p.width); x++ {
			histogram[p.pix[y*p.stride+x]]++
			n++
		}
	}
	for grey, below := 0, 0; grey < 256; grey++ {
		if below += histogram[grey]; n > 0 && below*2 >= n {
			return float64(grey)
		}
	}
	return 128
}

// each applies a function to each square together with the squares around it, and returns the grid of the results.
func (g grid) each(of func(around []float64) float64) grid {
	out := g
	out.values = make([]float64, len(g.values))
	around := make([]float64, 0, 9)
	for y := range g.height {
		for x := range g.width {
			around = around[:0]
			for ny := max(0, y-1); ny <= min(y+1, g.height-1); ny++ {
				around = append(around, g.values[ny*g.width+max(0, x-1):ny*g.width+min(x+1, g.width-1)+1]...)
			}
			out.values[y*g.width+x] = of(around)
		}
	}
	return out
}

// isPage reports whether most of a picture is nearly as bright as its supposed paper.
func (p photo) isPage(paper grid, side int) bool {
	luma := p.planes[0]
	near, n := 0, 0
	for y := 0; y < luma.height; y += 3 {
		for x := 0; x < luma.width; x += 3 {
			n++
			if float64(luma.pix[y*luma.stride+x]) >= nearPaper*paper.values[y/side*paper.width+x/side] {
				near++
			}
		}
	}
	return near*100 >= leastPaper*n
}

// brighten makes the paper equally bright everywhere.
func (p plane) brighten(paper grid, side int) {
	gains := make([]float64, p.width)
	smooth := paper.smooth(p.width, side)
	for y := range p.height {
		smooth.row(gains, y)
		pix := p.pix[y*p.stride : y*p.stride+p.width]
		for x, gray := range pix {
			pix[x] = clamp(float64(gray) * gain(gains[x]))
		}
	}
}

// clear removes the tint of the paper, and intensifies the colour as much as the luminance is brightened.
func (p plane) clear(tint, paper grid, side int) {
	tints, gains := make([]float64, p.width), make([]float64, p.width)
	colour, light := tint.smooth(p.width, side), paper.smooth(p.width, side)
	for y := range p.height {
		colour.row(tints, y)
		light.row(gains, y)
		pix := p.pix[y*p.stride : y*p.stride+p.width]
		for x, c := range pix {
			pix[x] = clamp(128 + (float64(c)-tints[x])*gain(gains[x]))
		}
	}
}

// smooth is a grid whose values are interpolated between the middles of the squares.
type smooth struct {
	grid

	side    int
	columns []float64 // for each pixel of a row, its position in the grid
	between []float64
}

func (g grid) smooth(width, side int) smooth {
	s := smooth{grid: g, side: side, columns: make([]float64, width), between: make([]float64, g.width+1)}
	for x := range s.columns {
		s.columns[x] = place(x, side, g.width)
	}
	return s
}

// place returns the position of a pixel in a row of squares, counted from the middle of the first square.
func place(pixel, side, squares int) float64 {
	return min(max((float64(pixel)+0.5)/float64(side)-0.5, 0), float64(squares-1))
}

// row fills values with those of row y of the picture.
func (s smooth) row(values []float64, y int) {
	down := place(y, s.side, s.height)
	above := int(down)
	below := min(above+1, s.height-1)
	down -= float64(above)
	for x := range s.width {
		s.between[x] = s.values[above*s.width+x]*(1-down) + s.values[below*s.width+x]*down
	}
	s.between[s.width] = s.between[s.width-1]
	for x, across := range s.columns {
		left := int(across)
		share := across - float64(left)
		values[x] = s.between[left]*(1-share) + s.between[left+1]*share
	}
}

func clamp(value float64) byte { return byte(min(max(value+0.5, 0), 255)) }
