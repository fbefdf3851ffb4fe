package document_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"
)

// shot says how a test photographs a page; it stands in for a phone held over a table.
type shot struct {
	width, height int
	corners       [4][2]float64 // of the page, as shares of the picture: upper left, upper right, lower right, lower left
	shadow        float64       // the share of the light that a soft shadow takes away in one half
	noise         float64       // grey levels
	tint          bool          // lamplight
	table         float64       // grey value of the surface below the page
}

// slanted is a page on a dark table, photographed at an angle, with the photographer's shadow on
// it.
func slanted(width, height int) shot {
	return shot{width, height, [4][2]float64{{0.14, 0.09}, {0.90, 0.13}, {0.95, 0.93}, {0.06, 0.90}}, 0.45, 6, true, 70}
}

// photographed returns the photograph.
func photographed(gray *image.Gray, s shot) *image.RGBA {
	random := rand.New(rand.NewPCG(1, 2))
	var c [4][2]float64
	for i, p := range s.corners {
		c[i] = [2]float64{p[0] * float64(s.width), p[1] * float64(s.height)}
	}
	onto := inverse(square(c))
	out := image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	for y := range s.height {
		for x := range s.width {
			fx, fy := float64(x), float64(y)
			w := onto[2][0]*fx + onto[2][1]*fy + onto[2][2]
			u, v := (onto[0][0]*fx+onto[0][1]*fy+onto[0][2])/w, (onto[1][0]*fx+onto[1][1]*fy+onto[1][2])/w
			light := s.table + 8*math.Sin(fx/float64(s.width)*60+math.Sin(fy/90))
			if u >= 0 && u < 1 && v >= 0 && v < 1 {
				light = 0.85 * between(gray, u*float64(gray.Rect.Dx()), v*float64(gray.Rect.Dy()))
			}
			across := (fx/float64(s.width) + 0.4*fy/float64(s.height) - 0.7) * 14
			light *= 1 - s.shadow/(1+math.Exp(-across))
			light += (random.Float64() - 0.5) * 2 * s.noise
			blue := 1.0
			if s.tint {
				blue = 0.82
			}
			out.SetRGBA(x, y, color.RGBA{level(light), level(light * (1 + blue) / 2), level(light * blue), 255})
		}
	}
	return out
}

func level(light float64) uint8 { return uint8(min(max(light, 0), 255)) }

func between(m *image.Gray, x, y float64) float64 {
	x0, y0 := int(max(x-0.5, 0)), int(max(y-0.5, 0))
	fx, fy := max(x-0.5, 0)-float64(x0), max(y-0.5, 0)-float64(y0)
	at := func(x, y int) float64 {
		return float64(m.Pix[min(y, m.Rect.Dy()-1)*m.Stride+min(x, m.Rect.Dx()-1)])
	}
	return (at(x0, y0)*(1-fx)+at(x0+1, y0)*fx)*(1-fy) + (at(x0, y0+1)*(1-fx)+at(x0+1, y0+1)*fx)*fy
}

// square returns the projection of the unit square onto four corners.
func square(c [4][2]float64) [3][3]float64 {
	x1, y1, x2, y2 := c[1][0]-c[2][0], c[1][1]-c[2][1], c[3][0]-c[2][0], c[3][1]-c[2][1]
	sx, sy := c[0][0]-c[1][0]+c[2][0]-c[3][0], c[0][1]-c[1][1]+c[2][1]-c[3][1]
	d := x1*y2 - x2*y1
	g, h := (sx*y2-x2*sy)/d, (x1*sy-sx*y1)/d
	return [3][3]float64{
		{c[1][0] - c[0][0] + g*c[1][0], c[3][0] - c[0][0] + h*c[3][0], c[0][0]},
		{c[1][1] - c[0][1] + g*c[1][1], c[3][1] - c[0][1] + h*c[3][1], c[0][1]},
		{g, h, 1},
	}
}

// inverse returns the inverse except for its scale, which does not matter for a projection.
func inverse(m [3][3]float64) [3][3]float64 {
	var out [3][3]float64
	for i := range 3 {
		for j := range 3 {
			a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
			out[j][i] = m[a][c]*m[b][d] - m[a][d]*m[b][c]
		}
	}
	return out
}

// scannedPage is the page of testdata/scan.pdf, or of another with one JPEG.
func scannedPage(t testing.TB, path string) *image.Gray {
	t.Helper()
	content := readFile(t, path)
	m, err := jpeg.Decode(bytes.NewReader(content[bytes.Index(content, []byte("\xff\xd8\xff")):]))
	if err != nil {
		t.Fatal(err)
	}
	gray, ok := m.(*image.Gray)
	if !ok {
		t.Fatalf("%s is a %T", path, m)
	}
	return gray
}

func asJPEG(t testing.TB, m image.Image, quality int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
