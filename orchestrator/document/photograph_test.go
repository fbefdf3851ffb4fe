package document_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/document"
)

// photographs makes a PDF of photographs and returns its path.
func photographs(t testing.TB, contents ...[]byte) (string, error) {
	t.Helper()
	var paths []string
	for _, content := range contents {
		paths = append(paths, writeFile(t, content))
	}
	out, err := os.Create(filepath.Join(t.TempDir(), "photographs.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	return out.Name(), newReader(t, document.Options{}).Photographs(t.Context(), paths, out)
}

// withEXIF adds an orientation and a place to a JPEG; the place must not be kept.
func withEXIF(jpeg []byte, orientation byte) []byte {
	exif := []byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00?\x00\x00GPS 28.6139 N")
	exif[bytes.IndexByte(exif, '?')] = orientation
	segment := binary.BigEndian.AppendUint16([]byte("\xff\xe1"), uint16(len(exif)+2))
	return slices.Concat(jpeg[:2], segment, exif, jpeg[2:])
}

// A photograph of a page, upside down, shaded and taken at an angle, becomes an upright page with the same text as
// the scan; each word has its position on the page. A second photograph, in another format, becomes the second page.
// testdata/photograph.heic is the result of photographed for testdata/scan.pdf.
func TestPhotographsBecomeOnePDF(t *testing.T) {
	t.Parallel()
	second := withEXIF(asJPEG(t, image.NewGray(image.Rect(0, 0, 300, 100)), 50), 6)
	path, err := photographs(t, readFile(t, "testdata/photograph.heic"), second)
	if err != nil {
		t.Fatal(err)
	}
	if pdf := readFile(t, path); bytes.Contains(pdf, []byte("Exif")) || bytes.Contains(pdf, []byte("GPS")) {
		t.Error("the place is kept")
	}
	pages, info, err := read(t, newReader(t, document.Options{}), path, []int{1})
	if err != nil || info.Pages != 2 {
		t.Fatalf("%d pages, %v", info.Pages, err)
	}
	page := pages[0]
	if rate := errorRate(string(readFile(t, "testdata/scan.txt")), page.Text); rate > 0.03 {
		t.Errorf("%.2f %% of the characters differ:\n%s", 100*rate, page.Text)
	}
	if page.Height != 842 || math.Abs(page.Width-595) > 3 {
		t.Errorf("the page is %g × %g points, want A4", page.Width, page.Height)
	}
	words, err := page.Words.Unpack()
	if err != nil {
		t.Fatal(err)
	}
	boxes, share := document.Find(page.Text, words, "Rakesh Bidhuri")
	if share != 1 || len(boxes) != 1 {
		t.Fatalf("the officer's name is found %d times, %g of it", len(boxes), share)
	}
	// In the lower right of the scan, as shares of its sides.
	if b := boxes[0]; math.Abs(b.X0/page.Width-0.69) > 0.02 || math.Abs(b.Y0/page.Height-0.795) > 0.02 {
		t.Errorf("the officer's name is at %+v", b)
	}
}

// A photograph that was put into a PDF unchanged is read like a scan, and each word has its position on the
// photograph.
func TestReadsAPhotographInAPDF(t *testing.T) {
	t.Parallel()
	taken := slanted(1536, 2172)
	picture := stream("/Type/XObject/Subtype/Image/Width 1536/Height 2172/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode",
		string(asJPEG(t, photographed(scannedPage(t, "testdata/scan.pdf"), taken), 85)))
	path := writePDF(t, []string{picture}, sheet{fullPage, "/Resources<</XObject<</Scan 5 0 R>>>>"})
	page := mustRead(t, path)[0]
	if rate := errorRate(string(readFile(t, "testdata/scan.txt")), page.Text); rate > 0.04 {
		t.Errorf("%.2f %% of the characters differ:\n%s", 100*rate, page.Text)
	}
	words, err := page.Words.Unpack()
	if err != nil {
		t.Fatal(err)
	}
	boxes, share := document.Find(page.Text, words, "Rakesh Bidhuri")
	if share != 1 || len(boxes) != 1 {
		t.Fatalf("the officer's name is found %d times, %g of it", len(boxes), share)
	}
	// The position on the scan, converted to that on the photograph.
	m := square(taken.corners)
	const u, v = 0.69, 0.795
	w := m[2][0]*u + m[2][1]*v + 1
	x, y := (m[0][0]*u+m[0][1]*v+m[0][2])/w, (m[1][0]*u+m[1][1]*v+m[1][2])/w
	if b := boxes[0]; math.Abs(b.X0/page.Width-x) > 0.02 || math.Abs(b.Y0/page.Height-y) > 0.02 {
		t.Errorf("the officer's name is at %.3f, %.3f, want %.3f, %.3f", b.X0/page.Width, b.Y0/page.Height, x, y)
	}
}

func TestFindsTheSheet(t *testing.T) {
	t.Parallel()
	page := scannedPage(t, "testdata/scan.pdf")
	for _, test := range []struct {
		name    string
		change  func(*shot)
		unclear bool
	}{
		{"seen from one side", func(*shot) {}, false},
		{"turned", func(s *shot) { s.corners = [4][2]float64{{0.30, 0.05}, {0.97, 0.22}, {0.72, 0.96}, {0.05, 0.79}} }, false},
		{"deep shadow", func(s *shot) { s.shadow = 0.7 }, false},
		{"a light table", func(s *shot) { s.table = 140 }, false},
		{"on white", func(s *shot) { s.table = 212 }, true},
		{"nothing but the page", func(s *shot) { s.corners = [4][2]float64{{-0.1, -0.1}, {1.1, -0.1}, {1.1, 1.1}, {-0.1, 1.1}} }, true},
	} {
		s := slanted(480, 640)
		test.change(&s)
		found, ok := document.FindSheet(photographed(page, s))
		if ok == test.unclear {
			t.Errorf("%s: found is %t", test.name, ok)
			continue
		}
		for i, p := range found {
			if ok && math.Hypot(p[0]-s.corners[i][0], p[1]-s.corners[i][1]) > 0.012 {
				t.Errorf("%s: corner %d is at %.3f, want %.3f", test.name, i, p, s.corners[i])
			}
		}
	}
}

func TestEvensOutShadows(t *testing.T) {
	t.Parallel()
	s := slanted(600, 800)
	s.corners = [4][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	taken := photographed(scannedPage(t, "testdata/scan.pdf"), s)
	before, after := paperOf(taken), paperOf(document.Even(taken))
	if before.spread < 60 || after.spread > 12 || after.least < 230 {
		t.Errorf("the paper was %+v and is %+v", before, after)
	}
	if after.tint > 6 || before.tint < 10 {
		t.Errorf("the paper's tint was %g and is %g", before.tint, after.tint)
	}
	// A photograph of something other than paper stays as it is.
	goods := image.NewRGBA(image.Rect(0, 0, 400, 400))
	for i := range goods.Pix {
		goods.Pix[i] = byte((i/4%400/10*37 + i/1600/10*91) % 160)
		if i%4 == 3 {
			goods.Pix[i] = 255
		}
	}
	if got := paperOf(document.Even(goods)); math.Abs(got.least-paperOf(goods).least) > 3 {
		t.Errorf("a picture of goods was brightened to %+v", got)
	}
}

type paper struct{ least, spread, tint float64 }

// paperOf measures the brightness of the paper in squares of 50 pixels: the lowest value, the range, and how much
// less blue there is than red.
func paperOf(m image.Image) paper {
	least, most, tint := 255.0, 0.0, 0.0
	for y := 0; y+50 <= m.Bounds().Dy(); y += 50 {
		for x := 0; x+50 <= m.Bounds().Dx(); x += 50 {
			var all []color.RGBA
			for i := range 2500 {
				all = append(all, color.RGBAModel.Convert(m.At(x+i%50, y+i/50)).(color.RGBA))
			}
			slices.SortFunc(all, func(a, b color.RGBA) int { return int(a.G) - int(b.G) })
			bright := all[len(all)*3/4]
			least, most = min(least, float64(bright.G)), max(most, float64(bright.G))
			tint = max(tint, float64(bright.R)-float64(bright.B))
		}
	}
	return paper{least, most - least, tint}
}

// Whatever the EXIF orientation is, the corner that was at the upper left when the photograph was taken is
// there again.
func TestTurnsAsEXIFSays(t *testing.T) {
	t.Parallel()
	upright := image.NewRGBA(image.Rect(0, 0, 40, 20))
	for i := range upright.Pix {
		upright.Pix[i] = 200
	}
	for i := range 64 {
		upright.Set(i%8, i/8, color.Black)
	}
	stored := map[byte]func(x, y int) (int, int){ // where the camera stores each pixel of the scene
		1: func(x, y int) (int, int) { return x, y },
		2: func(x, y int) (int, int) { return 39 - x, y },
		3: func(x, y int) (int, int) { return 39 - x, 19 - y },
		4: func(x, y int) (int, int) { return x, 19 - y },
		5: func(x, y int) (int, int) { return y, x },
		6: func(x, y int) (int, int) { return y, 39 - x },
		7: func(x, y int) (int, int) { return 19 - y, 39 - x },
		8: func(x, y int) (int, int) { return 19 - y, x },
	}
	for orientation, store := range stored {
		width, height := 40, 20
		if orientation > 4 {
			width, height = 20, 40
		}
		m := image.NewRGBA(image.Rect(0, 0, width, height))
		for y := range 20 {
			for x := range 40 {
				sx, sy := store(x, y)
				m.Set(sx, sy, upright.At(x, y))
			}
		}
		shown, err := document.Shown(writeFile(t, withEXIF(asJPEG(t, m, 95), orientation)))
		if err != nil {
			t.Fatal(err)
		}
		if shown.Bounds().Dx() != 40 || shown.GrayAt(2, 2).Y > 60 || shown.GrayAt(37, 2).Y < 150 || shown.GrayAt(2, 17).Y < 150 {
			t.Errorf("orientation %d gives %v with %d, %d, %d in its corners", orientation, shown.Bounds(),
				shown.GrayAt(2, 2).Y, shown.GrayAt(37, 2).Y, shown.GrayAt(2, 17).Y)
		}
	}
}

// The decoders of each format, and EXIF data where other formats than JPEG store it.
func TestReadsEachFormat(t *testing.T) {
	t.Parallel()
	page := image.NewNRGBA(image.Rect(0, 0, 60, 30)) // nothing is painted, so it is white
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, page); err != nil {
		t.Fatal(err)
	}
	turned := pngWith(encoded.Bytes(), "eXIf", []byte("II\x2a\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"))
	for name, test := range map[string]struct {
		content       []byte
		width, height int
	}{
		"PNG":               {encoded.Bytes(), 60, 30},
		"PNG with rotation": {turned, 30, 60},
		"WebP":              {readFile(t, "testdata/photograph.webp"), 910, 1212},
	} {
		shown, err := document.Shown(writeFile(t, test.content))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if b := shown.Bounds(); b.Dx() != test.width || b.Dy() != test.height || shown.GrayAt(b.Dx()/2, b.Dy()/2).Y < 60 {
			t.Errorf("%s is %v with %d in its middle", name, b, shown.GrayAt(b.Dx()/2, b.Dy()/2).Y)
		}
	}
}

// pngWith inserts a chunk after the first one.
func pngWith(content []byte, name string, data []byte) []byte {
	const afterHeader = 8 + 12 + 13
	body := append([]byte(name), data...)
	c := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	c = binary.BigEndian.AppendUint32(append(c, body...), crc32.ChecksumIEEE(body))
	return slices.Concat(content[:afterHeader], c, content[afterHeader:])
}

// pngOfSize returns a PNG that claims this size and contains a megabyte of compressed zeros.
func pngOfSize(t testing.TB, width, height uint32) []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 1000, 1000))); err != nil {
		t.Fatal(err)
	}
	content := out.Bytes()
	binary.BigEndian.PutUint32(content[16:], width)
	binary.BigEndian.PutUint32(content[20:], height)
	binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
	return content
}

func TestRefusesPhotographs(t *testing.T) {
	t.Parallel()
	small := asJPEG(t, scannedPage(t, "testdata/scan.pdf"), 40)
	good := asJPEG(t, image.NewGray(image.Rect(0, 0, 8, 8)), 40)
	for _, test := range []struct {
		name     string
		content  []byte
		code     document.Code
		sentence string
	}{
		{"cut short", small[:len(small)/2], document.Damaged, "Photograph 2 cannot be read"},
		{"only a beginning", []byte("\xff\xd8\xff\xe1"), document.Damaged, "Photograph 2 cannot be read"},
		{"a text", []byte("Dear Sir, this is to inform you"), document.NotPDF, "JPEG, PNG, WebP or HEIC"},
		{"empty", nil, document.Empty, "Photograph 2 is empty"},
		{"too many pixels", pngOfSize(t, 60_000, 60_000), document.TooManyPixels, "3600 megapixels; the limit is 50"},
		{"fewer pixels than it says", pngOfSize(t, 5000, 5000), document.Damaged, "Photograph 2 cannot be read"},
		{"AVIF", []byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1miafMA1B"), document.NotPDF, "JPEG, PNG, WebP or HEIC"},
		{"nonsense in EXIF", withEXIF(small[:40], 9), document.Damaged, "Photograph 2 cannot be read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := photographs(t, good, test.content)
			var refusal *document.Refusal
			if !errors.As(err, &refusal) || refusal.Code != test.code || refusal.Photograph != 2 {
				t.Fatalf("error %v, want %s of photograph 2", err, test.code)
			}
			if said := refusal.Problem().Sentence(); !strings.Contains(said, test.sentence) {
				t.Errorf("the sentence is %q, want %q", said, test.sentence)
			}
		})
	}
	t.Run("too many", func(t *testing.T) {
		var refusal *document.Refusal
		if _, err := photographs(t, make([][]byte, document.MostPhotographs+1)...); !errors.As(err, &refusal) ||
			refusal.Code != document.TooManyPhotographs || !strings.Contains(refusal.Problem().Sentence(), "50") {
			t.Errorf("error %v", err)
		}
	})
	// The resulting PDF is checked against the limits, so that nothing is accepted that would be refused when it is
	// read.
	for _, test := range []struct {
		name    string
		options document.Options
		code    document.Code
	}{
		{"too large as a PDF", document.Options{MaxBytes: 4 << 10}, document.TooLarge},
		{"more than the pages of a PDF", document.Options{MaxPages: 3}, document.TooManyPhotographs},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var refusal *document.Refusal
			var out bytes.Buffer
			path := writeFile(t, good)
			err := newReader(t, test.options).Photographs(t.Context(), []string{path, path, path, path}, &out)
			if !errors.As(err, &refusal) || refusal.Code != test.code || refusal.Photograph != 0 || out.Len() > 0 {
				t.Errorf("error %v, want %s; %d bytes are written", err, test.code, out.Len())
			}
		})
	}
}

// BenchmarkPhotograph straightens and reads a photograph of 12 megapixels.
func BenchmarkPhotograph(b *testing.B) {
	for _, name := range []string{"scan", "scan-hindi"} {
		var content bytes.Buffer
		if err := jpeg.Encode(&content, photographed(scannedPage(b, "testdata/"+name+".pdf"), slanted(3024, 4032)), nil); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				path, err := photographs(b, content.Bytes())
				if err != nil {
					b.Fatal(err)
				}
				mustRead(b, path)
			}
		})
	}
}
