package document

import (
	"encoding/binary"
	"errors"
	"math"
)

// Box is a rectangle on a page as displayed, in points from its upper left corner.
type Box struct{ X0, Y0, X1, Y1 float64 }

func (b Box) union(other Box) Box {
	return Box{min(b.X0, other.X0), min(b.Y0, other.Y0), max(b.X1, other.X1), max(b.Y1, other.Y1)}
}

// Word is the position of a word of a page's text on the page.
type Word struct {
	Start, End int // byte offsets in the page's text
	Box        Box
	Confidence float64 // 0..1: from recognition; 1 for a layer
}

// Words are the words of a page's text in order. They are packed, because they are stored for each page and seldom
// used. Words is empty if the positions are unknown.
type Words []byte

const (
	// packing is the first byte of packed words, the version of the format.
	packing = 1
	// fineness is the number of packed units in a point.
	fineness = 10
	// farthest is the largest position that can be packed, in points. The largest page of a PDF has 14,400 unless the
	// PDF sets another unit.
	farthest = 1e6
)

// Flags of a packed word. Usually a word begins one byte after the end of the previous one, on the same row and with
// the same confidence; each flag says that one of these differs and is packed with the word.
const (
	hasGap = 1 << iota
	hasRow
	hasConfidence
)

var errNotPacked = errors.New("these are no packed words")

// packed is a word as the integers that are packed.
type packed struct{ start, end, x0, y0, x1, y1, percent int }

// Pack packs words, which must be in the order of their text.
func Pack(words []Word) Words {
	if len(words) == 0 {
		return nil
	}
	out := make([]byte, 1, 7*len(words))
	out[0] = packing
	var last packed
	for _, w := range words {
		p := packed{w.Start, w.End, steps(w.Box.X0), steps(w.Box.Y0), steps(w.Box.X1), steps(w.Box.Y1),
			int(math.Round(100 * min(max(w.Confidence, 0), 1)))}
		at := len(out)
		out = append(out, 0)
		if p.start != last.end+1 {
			out[at] |= hasGap
			out = binary.AppendVarint(out, int64(p.start-last.end))
		}
		out = binary.AppendUvarint(out, uint64(p.end-p.start))
		if p.y0 != last.y0 || p.y1 != last.y1 {
			out[at] |= hasRow
			out = binary.AppendVarint(out, int64(p.y0-last.y0))
			out = binary.AppendVarint(out, int64(p.y1-p.y0))
		}
		out = binary.AppendVarint(out, int64(p.x0-last.x1))
		out = binary.AppendVarint(out, int64(p.x1-p.x0))
		if p.percent != last.percent {
			out[at] |= hasConfidence
			out = append(out, byte(p.percent))
		}
		last = p
	}
	return out
}

// steps returns a position in packed units, or 0 for NaN: a font may claim anything about its letters.
func steps(position float64) int {
	if !(position > -farthest) {
		return 0
	}
	return int(math.Round(fineness * min(position, farthest)))
}

func points(steps int) float64 { return float64(steps) / fineness }

// Unpack returns the words one by one.
func (w Words) Unpack() ([]Word, error) {
	if len(w) == 0 {
		return nil, nil
	}
	if w[0] != packing {
		return nil, errNotPacked
	}
	rest := unpacker{bytes: w[1:]}
	words := make([]Word, 0, len(w)/5)
	var p packed
	for len(rest.bytes) > 0 {
		has := rest.byte()
		p.start = p.end + 1
		if has&hasGap != 0 {
			p.start = p.end + rest.number()
		}
		p.end = p.start + int(rest.unsigned())
		if has&hasRow != 0 {
			p.y0 += rest.number()
			p.y1 = p.y0 + rest.number()
		}
		p.x0 = p.x1 + rest.number()
		p.x1 = p.x0 + rest.number()
		if has&hasConfidence != 0 {
			p.percent = int(rest.byte())
		}
		if rest.failed {
			return nil, errNotPacked
		}
		words = append(words, Word{p.start, p.end, Box{points(p.x0), points(p.y0), points(p.x1), points(p.y1)},
			float64(p.percent) / 100})
	}
	return words, nil
}

type unpacker struct {
	bytes  []byte
	failed bool
}

func (u *unpacker) byte() byte {
	if len(u.bytes) == 0 {
		u.failed = true
		return 0
	}
	b := u.bytes[0]
	u.bytes = u.bytes[1:]
	return b
}

func (u *unpacker) number() int {
	n, size := binary.Varint(u.bytes)
	u.skip(size)
	return int(n)
}

func (u *unpacker) unsigned() uint64 {
	n, size := binary.Uvarint(u.bytes)
	u.skip(size)
	return n
}

func (u *unpacker) skip(size int) {
	if size <= 0 {
		u.failed, u.bytes = true, nil
		return
	}
	u.bytes = u.bytes[size:]
}
