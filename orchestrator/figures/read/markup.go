package read

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// markup reads the tags of an XML file one after the other. It knows what the sheets of a workbook use: no namespaces,
// no document types. A sheet has millions of cells, and encoding/xml takes four times as long for each.
type markup struct {
	r *bufio.Reader

	name  []byte // of the current tag, without a prefix
	attrs []byte // the rest of the tag
	end   bool   // </name>
	empty bool   // <name/>
	text  []byte // between the tag before and this one, if keep was set
	keep  bool   // text is wanted

	tag []byte
}

const (
	mostTag  = 1 << 20 // bytes of a tag
	mostText = 1 << 18 // bytes of text kept; a cell has at most 32,767 characters
)

func newMarkup(r io.Reader) *markup { return &markup{r: bufio.NewReaderSize(r, 128<<10)} }

// next moves to the next tag. At the end of the file it returns io.EOF.
func (x *markup) next() error {
	x.text = x.text[:0]
	for {
		if err := x.before('<'); err != nil {
			return err
		}
		tag, err := x.upTo('>', nil)
		if err != nil {
			return err
		}
		switch {
		case len(tag) == 0:
			return errors.New("a tag without a name")
		case tag[0] == '?':
			continue
		case bytes.HasPrefix(tag, []byte("![CDATA[")):
			if tag, err = x.closed(tag, "]]"); err != nil {
				return err
			}
			if x.keep && len(x.text) < mostText {
				x.text = append(x.text, tag[len("![CDATA["):len(tag)-2]...)
			}
			continue
		case bytes.HasPrefix(tag, []byte("!--")):
			if _, err = x.closed(tag, "--"); err != nil {
				return err
			}
			continue
		case tag[0] == '!':
			return errors.New("a document type, which no workbook has")
		}
		for quoted(tag) { // a > in an attribute
			if tag, err = x.upTo('>', append(x.held(tag), '>')); err != nil {
				return err
			}
		}
		x.parse(tag)
		return nil
	}
}

// before reads the text before a character.
func (x *markup) before(c byte) error {
	for {
		part, err := x.r.ReadSlice(c)
		if x.keep && len(part) > 0 && len(x.text) < mostText {
			if err == nil {
				part = part[:len(part)-1]
			}
			x.text = unescaped(x.text, part)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// upTo reads up to a character, without it, and appends what it read to the beginning of a tag. The result is valid
// until the next read.
func (x *markup) upTo(c byte, begun []byte) ([]byte, error) {
	for {
		part, err := x.r.ReadSlice(c)
		switch {
		case err == nil && begun == nil:
			return part[:len(part)-1], nil
		case err == nil:
			x.tag = append(begun, part[:len(part)-1]...)
			return x.tag, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, errors.Join(io.ErrUnexpectedEOF, err)
		}
		if begun = append(x.held(begun), part...); len(begun) > mostTag {
			return nil, fmt.Errorf("a tag of more than %d bytes", mostTag)
		}
	}
}

// held returns a copy of the beginning of a tag that the next read does not overwrite.
func (x *markup) held(tag []byte) []byte {
	x.tag = append(x.tag[:0], tag...)
	return x.tag
}

// closed reads on until a comment or CDATA section ends as it must.
func (x *markup) closed(tag []byte, with string) ([]byte, error) {
	var err error
	for !bytes.HasSuffix(tag, []byte(with)) && err == nil {
		if tag, err = x.upTo('>', append(x.held(tag), '>')); len(tag) > mostTag {
			return nil, fmt.Errorf("a comment of more than %d bytes", mostTag)
		}
	}
	return tag, err
}

// quoted reports whether a tag stops inside an attribute.
func quoted(tag []byte) bool {
	var quote byte
	for _, c := range tag {
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return quote != 0
}

func (x *markup) parse(tag []byte) {
	x.end, x.empty = false, false
	if tag[0] == '/' {
		x.end, tag = true, tag[1:]
	}
	if n := len(tag); n > 0 && tag[n-1] == '/' {
		x.empty, tag = true, tag[:n-1]
	}
	x.attrs = nil
	if i := bytes.IndexAny(tag, " \t\r\n"); i >= 0 {
		tag, x.attrs = tag[:i], tag[i:]
	}
	if i := bytes.IndexByte(tag, ':'); i >= 0 {
		tag = tag[i+1:]
	}
	x.name = tag
}

// attr returns the value of an attribute of the current tag, nil if it has none.
func (x *markup) attr(name string) []byte {
	rest := x.attrs
	for {
		is := bytes.IndexByte(rest, '=')
		if is < 0 {
			return nil
		}
		key, after := bytes.TrimSpace(rest[:is]), bytes.TrimLeft(rest[is+1:], " \t\r\n")
		if len(after) == 0 {
			return nil
		}
		end := bytes.IndexByte(after[1:], after[0])
		if end < 0 {
			return nil
		}
		if string(key) == name {
			return after[1 : end+1]
		}
		rest = after[end+2:]
	}
}

// unescaped appends text with its character references resolved.
func unescaped(to, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return append(to, text...)
		}
		to, text = append(to, text[:i]...), text[i:]
		end := bytes.IndexByte(text, ';')
		if end < 0 || end > 10 {
			return append(to, text...)
		}
		switch name := string(text[1:end]); name {
		case "amp":
			to = append(to, '&')
		case "lt":
			to = append(to, '<')
		case "gt":
			to = append(to, '>')
		case "quot":
			to = append(to, '"')
		case "apos":
			to = append(to, '\'')
		default:
			if r, ok := reference(name); ok {
				to = utf8.AppendRune(to, r)
			} else {
				to = append(to, text[:end+1]...)
			}
		}
		text = text[end+1:]
	}
}

// reference returns the character of a reference such as "#10" or "#x20B9".
func reference(name string) (rune, bool) {
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	return rune(n), err == nil && utf8.ValidRune(rune(n))
}
