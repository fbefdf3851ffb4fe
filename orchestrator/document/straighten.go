package document

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"runtime/debug"
	"slices"
)

const (
	// sheetScale is the most pixels that a point of a photographed page gets: as many as recognition uses.
	sheetScale = DefaultScale
	// sheetQuality is the JPEG quality in which a page is kept.
	sheetQuality = 80
	// a4 is the ratio of the sides of A4. A sheet whose ratio differs from it by at most a4Slack is taken for A4,
	// since perspective shortens one side.
	a4, a4Slack = math.Sqrt2, 0.15
	// sheetInset is the share of a sheet that is cut off at each edge.
	sheetInset = 0.004
)

// corners are the corners of the visible part, in pixels of a photograph: upper left, upper right, lower right, lower
// left. Their order says how it is turned.
type corners [4]point

// frame returns the corners of a whole photograph, turned as its EXIF orientation says.
func frame(width, height float64, orientation int) corners {
	c := corners{{0, 0}, {width, 0}, {width, height}, {0, height}}
	turned := [9][4]int{{}, {0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}, {0, 3, 2, 1}, {3, 0, 1, 2},
		{2, 1, 0, 3}, {1, 2, 3, 0}}
	var out corners
	for i, from := range turned[orientation] {
		out[i] = c[from]
	}
	return out
}

// quarter returns the corners turned by 90° clockwise.
func (c corners) quarter() corners { return corners{c[3], c[0], c[1], c[2]} }

// turned returns the corners turned clockwise about their middle.
func (c corners) turned(degrees float64) corners {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	middle := point{(c[0].x + c[1].x + c[2].x + c[3].x) / 4, (c[0].y + c[1].y + c[2].y + c[3].y) / 4}
	for i, p := range c {
		x, y := p.x-middle.x, p.y-middle.y
		c[i] = point{middle.x + x*cos + y*sin, middle.y + y*cos - x*sin}
	}
	return c
}

func (c corners) scaled(across, down float64) corners {
	for i, p := range c {
		c[i] = point{p.x * across, p.y * down}
	}
	return c
}

// sides returns the width and the height of the part within the corners, in pixels of the photograph: the longer of
// each two opposite sides. If it has no right angles, it was photographed at an angle, which shortens one side; it is
// then taken for A4 if its ratio is close to that.
func (c corners) sides() (width, height float64) {
	width, height = max(distance(c[0], c[1]), distance(c[3], c[2])), max(distance(c[0], c[3]), distance(c[1], c[2]))
	slanted := slices.ContainsFunc([]int{0, 1, 2, 3}, func(i int) bool {
		return math.Abs(corner(c[(i+3)%4], c[i], c[(i+1)%4])-90) > 0.5
	})
	if ratio := max(width, height) / max(1, min(width, height)); slanted && math.Abs(ratio/a4-1) < a4Slack {
		if width > height {
			height = width / a4
		} else {
			width = height / a4
		}
	}
	return width, height
}

func distance(a, b point) float64 { return math.Hypot(b.x-a.x, b.y-a.y) }

// projection maps the unit square onto four corners, with perspective.
type projection struct{ a, b, c, d, e, f, g, h float64 }

func (c corners) projection() projection {
	x1, y1 := c[1].x-c[2].x, c[1].y-c[2].y
	x2, y2 := c[3].x-c[2].x, c[3].y-c[2].y
	sx, sy := c[0].x-c[1].x+c[2].x-c[3].x, c[0].y-c[1].y+c[2].y-c[3].y
	var p projection
	if whole := x1*y2 - x2*y1; whole != 0 {
		p.g, p.h = (sx*y2-x2*sy)/whole, (x1*sy-sx*y1)/whole
	}
	p.a, p.b, p.c = c[1].x-c[0].x+p.g*c[1].x, c[3].x-c[0].x+p.h*c[3].x, c[0].x
	p.d, p.e, p.f = c[1].y-c[0].y+p.g*c[1].y, c[3].y-c[0].y+p.h*c[3].y, c[0].y
	return p
}

func (p projection) at(u, v float64) point {
	w := p.g*u + p.h*v + 1
	return point{(p.a*u + p.b*v + p.c) / w, (p.d*u + p.e*v + p.f) / w}
}

// cut returns the part within the corners, in pixels of the plane, as a picture of this size.
func (p plane) cut(c corners, width, height int) plane {
	out := newPlane(width, height)
	from := c.projection()
	for y := range height {
		v := (float64(y) + 0.5) / float64(height)
		row := out.pix[y*width : (y+1)*width]
		for x := range row {
			row[x] = p.between(from.at((float64(x)+0.5)/float64(width), v))
		}
	}
	return out
}

// between returns the interpolated grey at a point; the middle of a pixel is at half coordinates. Outside the plane
// it is the grey of the edge.
func (p plane) between(at point) byte {
	x, y := min(max(at.x-0.5, 0), float64(p.width-1)), min(max(at.y-0.5, 0), float64(p.height-1))
	x0, y0 := int(x), int(y)
	fx, fy := int((x-float64(x0))*256), int((y-float64(y0))*256)
	upper := p.pix[y0*p.stride:]
	lower := p.pix[min(y0+1, p.height-1)*p.stride:]
	x1 := min(x0+1, p.width-1)
	above := int(upper[x0])*(256-fx) + int(upper[x1])*fx
	below := int(lower[x0])*(256-fx) + int(lower[x1])*fx
	return byte((above*(256-fy) + below*fy) >> 16)
}

// reduced averages squares of k × k pixels; an incomplete square at the right or the bottom is dropped.
func (p plane) reduced(k int) plane {
	if k = min(k, p.width, p.height); k <= 1 {
		return p
	}
	out := newPlane(p.width/k, p.height/k)
	sums := make([]int, out.width)
	for y := range out.height {
		clear(sums)
		for dy := range k {
			row := p.pix[(y*k+dy)*p.stride:][:out.width*k]
			for x := range sums {
				for _, g := range row[x*k : x*k+k] {
					sums[x] += int(g)
				}
			}
		}
		for x, sum := range sums {
			out.pix[y*out.width+x] = byte(sum / (k * k))
		}
	}
	return out
}

// inset moves the corners slightly towards the middle, so that nothing of the table remains.
func (c corners) inset() corners {
	from := c.projection()
	return corners{from.at(sheetInset, sheetInset), from.at(1-sheetInset, sheetInset),
		from.at(1-sheetInset, 1-sheetInset), from.at(sheetInset, 1-sheetInset)}
}

// cut returns the part within the corners, in pixels of the photograph, with at most longest pixels along its longer
// side. Luminance has an even number of pixels each way, and each colour plane half as many.
func (p photo) cut(c corners, longest float64) photo {
	across, down := c.sides()
	scale := min(1, longest/max(across, down))
	width, height := 2*max(1, int(across*scale/2+0.5)), 2*max(1, int(down*scale/2+0.5))
	k := int(1 / scale) // average pixels that would otherwise be skipped
	whole, high := p.size()
	var out photo
	for i, component := range p.planes {
		from := component.reduced(min(k, max(1, component.width*k/whole)))
		w, h := width, height
		if i > 0 {
			w, h = width/2, height/2
		}
		out.planes = append(out.planes,
			from.cut(c.scaled(float64(from.width)/float64(whole), float64(from.height)/float64(high)), w, h))
	}
	return out
}

// luminance returns the picture without its colour.
func (p photo) luminance() photo { return photo{p.planes[:1]} }

func (p photo) size() (width, height int) { return p.planes[0].width, p.planes[0].height }

// pixels returns the luminance of a photo made by cut, sharing its bytes.
func (p photo) pixels() *pixels {
	y := p.planes[0]
	return &pixels{width: y.width, height: y.height, gray: y.pix}
}

// plane returns the picture as a plane, sharing its bytes.
func (p *pixels) plane() plane { return plane{p.width, p.height, p.width, p.gray} }

// turnOver turns the picture by 180°.
func (p photo) turnOver() {
	for _, component := range p.planes {
		slices.Reverse(component.pix)
	}
}

func (p photo) jpeg() ([]byte, error) {
	var out bytes.Buffer
	y := p.planes[0]
	var m image.Image = &image.Gray{Pix: y.pix, Stride: y.stride, Rect: image.Rect(0, 0, y.width, y.height)}
	if len(p.planes) == 3 {
		m = &image.YCbCr{Y: y.pix, Cb: p.planes[1].pix, Cr: p.planes[2].pix, YStride: y.stride,
			CStride: p.planes[1].stride, SubsampleRatio: image.YCbCrSubsampleRatio420,
			Rect: image.Rect(0, 0, y.width, y.height)}
	}
	err := jpeg.Encode(&out, m, &jpeg.Options{Quality: sheetQuality})
	return out.Bytes(), err
}

// straighten reads the photograph that the job names, and answers with the page that it shows.
func (c *child) straighten() error {
	// Garbage collection would run all the time if the limit were lower, since the picture itself takes much of it.
	debug.SetMemoryLimit(c.job.Memory * 3 / 4)
	taken, turn, err := decodePhotograph(c.job.Path)
	if err != nil {
		return err
	}
	page, err := c.page(taken, turn)
	if err != nil {
		return err
	}
	width, height := page.size()
	content, err := page.jpeg()
	if err != nil {
		return fmt.Errorf("encode a page: %w", err)
	}
	return c.answers.Encode(answer{Picture: &sheetPicture{width, height, len(page.planes) == 3, content}})
}

// page cuts the page out of a photograph, with level lines, letters upright and shadows evened out.
func (c *child) page(taken photo, turn int) (photo, error) {
	width, height := taken.size()
	shown := frame(float64(width), float64(height), turn)
	if edges, ok := findSheet(taken.luminance().cut(shown, edgesSide).planes[0]); ok {
		onto := shown.projection()
		for i, p := range edges {
			shown[i] = onto.at(p.x, p.y)
		}
		shown = shown.inset()
	}
	page := taken.cut(taken.level(shown), sheetScale*sheetPoints)
	page.even()
	upsideDown, err := c.upsideDown(page.pixels())
	if err != nil {
		return photo{}, err
	}
	if upsideDown {
		page.turnOver()
	}
	return page, nil
}

// level returns the corners turned so that the lines within them are level.
func (p photo) level(shown corners) corners {
	sketch := p.luminance().cut(shown, sketchSide)
	sketch.even()
	degrees, sideways := slope(sketch.pixels())
	if sideways {
		shown = shown.quarter()
	}
	return shown.turned(degrees)
}

const (
	// edgesSide and sketchSide, in pixels, are the longer sides of the reduced images in which the sheet and the
	// slope of its lines are searched for.
	edgesSide  = 480
	sketchSide = 840
	// A band of the page, one bandShare of its height, is recognised to see whether the page is upside down.
	bandShare = 10
	// If recognition finds uprightLetters letters with a confidence of uprightConfidence, the page is upright and
	// need not be tried the other way.
	uprightConfidence = 0.8
	uprightLetters    = 40
)

// upsideDown reports whether the page is upside down. It recognises the band of the page with most text; if that makes
// no sense, it turns the band over and recognises it again.
func (c *child) upsideDown(page *pixels) (bool, error) {
	var err error
	if c.recogniser == nil {
		if c.recogniser, err = newRecogniser(c.job.Languages); err != nil {
			return false, err
		}
	}
	band := page.fullestBand(page.height / bandShare)
	if !hasRoom(recogniserBytes + bytesPerPixel*len(band.gray)) {
		return false, fmt.Errorf("%w: recognise %d pixels", errMemory, len(band.gray))
	}
	scale := float64(max(page.width, page.height)) / sheetPoints
	var up, down reading
	for _, languages := range slices.Compact([]int{1, len(c.recogniser.languages)}) {
		if up, err = c.recogniser.recognise(band, scale, languages); err != nil {
			return false, err
		}
		if up.confidence >= uprightConfidence && sound(up.text) >= uprightLetters {
			return false, nil
		}
		band.turnOver()
		if down, err = c.recogniser.recognise(band, scale, languages); err != nil {
			return false, err
		}
		if down.confidence >= uprightConfidence && sound(down.text) >= uprightLetters {
			return true, nil
		}
		band.turnOver()
	}
	return down.worth() > up.worth(), nil
}

// fullestBand copies the rows of this height in which ink and paper alternate most often, as they do in text.
func (p *pixels) fullestBand(height int) *pixels {
	height = min(max(height, 1), p.height)
	paper := p.paper()
	changes := make([]int, p.height+1) // in all rows above
	for y := range p.height {
		row := p.gray[y*p.width : (y+1)*p.width]
		changes[y+1] = changes[y]
		for x := 1; x < len(row); x++ {
			if isInk(row[x], paper) != isInk(row[x-1], paper) {
				changes[y+1]++
			}
		}
	}
	best := 0
	for y := 0; y+height <= p.height; y++ {
		if changes[y+height]-changes[y] > changes[best+height]-changes[best] {
			best = y
		}
	}
	return &pixels{width: p.width, height: height, gray: slices.Clone(p.gray[best*p.width : (best+height)*p.width]),
		from: drawing{scale: 1}}
}
