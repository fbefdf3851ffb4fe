package document_test

import (
	"math"
	"testing"

	"munshi/orchestrator/document"
)

// striped is a page of lines that rise by this many degrees, or run down the page.
func striped(degrees float64, down bool) *document.Pixels {
	const width, height = 600, 840
	gray := make([]byte, width*height)
	slope := math.Tan(degrees * math.Pi / 180)
	for y := range height {
		for x := range width {
			along, across := float64(x), float64(y)
			if down {
				along, across = float64(y), -float64(x)
			}
			gray[y*width+x] = 235
			line := math.Floor((across + slope*along) / 14)
			inLine := across+slope*along-14*line < 5
			inWord := int(along+17*line+10000)%37 < 30
			fromMiddle := math.Hypot(float64(x-width/2), float64(y-height/2))
			if inLine && inWord && fromMiddle < 270 {
				gray[y*width+x] = 30
			}
		}
	}
	return document.NewPixels(width, height, gray)
}

func TestTilt(t *testing.T) {
	for _, degrees := range []float64{-4, -1.2, -0.5, 0, 0.1, 0.8, 3.5} {
		for _, down := range []bool{false, true} {
			want := degrees
			if math.Abs(want) < 0.3 {
				want = 0
			}
			if got := document.Tilt(striped(degrees, down)); math.Abs(got-want) > 0.11 {
				t.Errorf("lines that climb by %g° (down the page: %t) are seen at %.2f°", degrees, down, got)
			}
		}
	}
	if got := document.Tilt(document.NewPixels(600, 840, make([]byte, 600*840))); got != 0 {
		t.Errorf("an empty page is turned by %g°", got)
	}
}

func TestRenderScale(t *testing.T) {
	for _, test := range []struct{ wanted, width, height, least, most float64 }{
		{3, 595, 842, 3, 3}, // A4
		{2, 595, 842, 2, 2},
		{3, 2480, 3508, 0.9, 1.1},   // A4 in pixels
		{3, 150, 200, 5, 10},        // a thumbnail's size in points
		{3, 14400, 14400, 0.1, 0.3}, // the largest possible page
		{3, 14400, 0.01, 0, 1.4},    // very long and narrow
		{3, 0, 0, 1, 20000},
	} {
		got := document.RenderScale(test.wanted, test.width, test.height)
		if got < test.least || got > test.most {
			t.Errorf("%g × %g at %g is rendered at %g", test.width, test.height, test.wanted, got)
		}
		if pixels := got * got * test.width * test.height; pixels > 9e6 {
			t.Errorf("%g × %g is rendered with %g pixels", test.width, test.height, pixels)
		}
	}
}

func TestEraseRules(t *testing.T) {
	const width, height, scale = 400, 300, 2
	gray := make([]byte, width*height)
	for i := range gray {
		gray[i] = 240
	}
	fill := func(x0, y0, x1, y1 int) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				gray[y*width+x] = 20
			}
		}
	}
	fill(20, 100, 380, 102)  // a rule across
	fill(200, 20, 203, 280)  // a rule down
	fill(40, 40, 44, 64)     // a letter's stroke
	fill(60, 50, 120, 53)    // a dash
	fill(250, 150, 390, 280) // a photograph
	out := document.NewPixels(width, height, gray).EraseRules(scale)
	for _, at := range []struct {
		name  string
		x, y  int
		stays bool
	}{
		{"the rule across", 100, 100, false}, {"the rule down", 201, 200, false}, {"their crossing", 201, 101, false},
		{"the stroke", 42, 50, true}, {"the dash", 90, 51, true}, {"the photograph", 300, 200, true}, {"its edge", 251, 200, true},
	} {
		if stays := out[at.y*width+at.x] < 100; stays != at.stays {
			t.Errorf("%s: stays is %t", at.name, stays)
		}
	}
}
