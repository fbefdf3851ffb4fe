package document

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"os"

	"github.com/gen2brain/heic"
	"golang.org/x/image/webp"
)

// plane is one component of a picture, with one byte per pixel.
type plane struct {
	width, height, stride int
	pix                   []byte
}

func newPlane(width, height int) plane {
	return plane{width, height, width, make([]byte, width*height)}
}

// photo is a picture as luminance and, if it is in colour, Cb and Cr, which may have fewer pixels.
type photo struct{ planes []plane }

// decodePhotograph returns the picture at path as the camera stored it, and its EXIF orientation (1 to 8), which says
// how to turn it.
func decodePhotograph(path string) (photo, int, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return photo{}, 0, fmt.Errorf("read a photograph: %w", err)
	}
	f := formatOf(content)
	size, err := sizeOf(f, bytes.NewReader(content))
	if err != nil {
		return photo{}, 0, unfit(err)
	}
	if pixels := int64(size.Width) * int64(size.Height); pixels > mostPhotoPixels {
		return photo{}, 0, &Refusal{Code: TooManyPixels, Found: (pixels + 999_999) / 1_000_000,
			Limit: mostPhotoPixels / 1_000_000}
	}
	m, err := decode(f, bytes.NewReader(content))
	if err != nil {
		return photo{}, 0, unfit(err)
	}
	if m.Bounds().Empty() || m.Bounds().Dx()*m.Bounds().Dy() > mostPhotoPixels {
		return photo{}, 0, &Refusal{Code: Damaged, Detail: "the picture has another size than it says"}
	}
	return photoOf(m), orientation(f, content), nil
}

// unfit returns the refusal for a picture that its decoder could not read.
func unfit(err error) error {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return err
	}
	return &Refusal{Code: Damaged, Detail: err.Error()}
}

func sizeOf(f format, r io.Reader) (image.Config, error) {
	switch f {
	case formatJPEG:
		return jpeg.DecodeConfig(r)
	case formatPNG:
		return png.DecodeConfig(r)
	case formatWebP:
		return webp.DecodeConfig(r)
	case formatHEIC:
		return heic.DecodeConfig(r)
	default:
		return image.Config{}, &Refusal{Code: NotPDF}
	}
}

func decode(f format, r io.Reader) (image.Image, error) {
	switch f {
	case formatJPEG:
		return jpeg.Decode(r)
	case formatPNG:
		return png.Decode(r)
	case formatWebP:
		return webp.Decode(r)
	default:
		return heic.Decode(r)
	}
}

// photoOf returns a picture as a photo. It shares the pixels of the formats that most decoders return, and converts
// others.
func photoOf(m image.Image) photo {
	switch m := m.(type) {
	case *image.Gray:
		return photo{[]plane{{m.Rect.Dx(), m.Rect.Dy(), m.Stride, m.Pix}}}
	case *image.YCbCr:
		return ofYCbCr(m)
	case *image.NYCbCrA:
		return ofYCbCr(&m.YCbCr)
	}
	return converted(m)
}

func ofYCbCr(m *image.YCbCr) photo {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	across, down := 1, 1
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio422:
		across = 2
	case image.YCbCrSubsampleRatio420:
		across, down = 2, 2
	case image.YCbCrSubsampleRatio440:
		down = 2
	case image.YCbCrSubsampleRatio411:
		across = 4
	case image.YCbCrSubsampleRatio410:
		across, down = 4, 2
	}
	cw, ch := (width+across-1)/across, (height+down-1)/down
	return photo{[]plane{{width, height, m.YStride, m.Y}, {cw, ch, m.CStride, m.Cb}, {cw, ch, m.CStride, m.Cr}}}
}

// stripRows is the number of rows converted at a time, so that no second copy of the whole picture is needed. It is
// even.
const stripRows = 64

// converted converts a picture of any other format, with white behind transparent parts.
func converted(m image.Image) photo {
	b := m.Bounds()
	width, height := b.Dx(), b.Dy()
	out := photo{[]plane{newPlane(width, height), newPlane((width+1)/2, (height+1)/2),
		newPlane((width+1)/2, (height+1)/2)}}
	strip := image.NewRGBA(image.Rect(0, 0, width, stripRows))
	for top := 0; top < height; top += stripRows {
		draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(strip, strip.Rect, m, image.Pt(b.Min.X, b.Min.Y+top), draw.Over)
		for y := top; y < min(top+stripRows, height); y++ {
			row := strip.Pix[(y-top)*strip.Stride:]
			for x := range width {
				luma, cb, cr := color.RGBToYCbCr(row[4*x], row[4*x+1], row[4*x+2])
				out.planes[0].pix[y*width+x] = luma
				if x%2 == 0 && y%2 == 0 {
					at := y/2*out.planes[1].stride + x/2
					out.planes[1].pix[at], out.planes[2].pix[at] = cb, cr
				}
			}
		}
	}
	return out
}

// orientation returns the EXIF orientation of a picture, or 1 (do not turn) if there is none. The HEIC decoder turns
// its pictures itself.
func orientation(f format, content []byte) int {
	switch f {
	case formatJPEG:
		return exifOrientation(jpegEXIF(content))
	case formatPNG:
		return exifOrientation(chunk(content, 8, "eXIf", binary.BigEndian, 4))
	case formatWebP:
		return exifOrientation(chunk(content, 12, "EXIF", binary.LittleEndian, 0))
	default:
		return 1
	}
}

// jpegEXIF returns the EXIF data from the segments before the image data of a JPEG.
func jpegEXIF(content []byte) []byte {
	const startOfScan, appOne = 0xda, 0xe1
	for at := 2; at+4 <= len(content) && content[at] == 0xff && content[at+1] != startOfScan; {
		length := int(binary.BigEndian.Uint16(content[at+2:]))
		segment := content[min(at+4, len(content)):min(at+2+max(2, length), len(content))]
		if exif, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && content[at+1] == appOne {
			return exif
		}
		at += 2 + length
	}
	return nil
}

// chunk returns the data of a named chunk. In a PNG the length is before the name and a checksum of four bytes
// follows; in a WebP the length is after the name and the data are padded to an even length.
func chunk(content []byte, at int, name string, order binary.ByteOrder, checksum int) []byte {
	for at+8 <= len(content) {
		found, length := content[at:at+4], order.Uint32(content[at+4:])
		if order == binary.BigEndian {
			found, length = content[at+4:at+8], order.Uint32(content[at:])
		}
		if uint64(length) > uint64(len(content)-at-8) {
			return nil
		}
		data := content[at+8 : at+8+int(length)]
		if string(found) == name {
			return bytes.TrimPrefix(data, []byte("Exif\x00\x00"))
		}
		at += 8 + len(data) + checksum
		if checksum == 0 {
			at += len(data) % 2
		}
	}
	return nil
}

// exifOrientation returns the orientation field of EXIF data, or 1.
func exifOrientation(exif []byte) int {
	const (
		tag   = 0x0112
		entry = 12 // bytes: tag, type, count, value
	)
	if len(exif) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if exif[0] == 'M' {
		order = binary.BigEndian
	}
	at := uint64(order.Uint32(exif[4:]))
	if at+2 > uint64(len(exif)) {
		return 1
	}
	entries := exif[at+2:]
	for range order.Uint16(exif[at:]) {
		if len(entries) < entry {
			return 1
		}
		if value := int(order.Uint16(entries[8:])); order.Uint16(entries) == tag && value >= 1 && value <= 8 {
			return value
		}
		entries = entries[entry:]
	}
	return 1
}
