package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain is Markdown text prepared for reading. Markup is removed, and spaces, dashes and digits are normalised. A
// line break within a paragraph is a space; the end of a paragraph, list item, heading or table row is a line feed.
// The origin of each byte in the given text is known.
type plain struct {
	text, low string
	from      []int32
	given     string
}

func newPlain(given string) *plain {
	p := &plain{given: given, from: make([]int32, 0, len(given))}
	var b strings.Builder
	b.Grow(len(given))
	write := func(s string, at int) {
		if (s == " " || s == "\n") && b.Len() > 0 {
			switch last := b.String()[b.Len()-1]; {
			case last == '\n', last == ' ' && s == " ":
				return
			}
		}
		b.WriteString(s)
		for i := range len(s) {
			if len(s) > 1 {
				p.from = append(p.from, int32(at+i))
			} else {
				p.from = append(p.from, int32(at))
			}
		}
	}
	for i := 0; i < len(given); {
		if skip := markup(given, i); skip > 0 {
			if given[i] == '<' {
				write(" ", i)
			}
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(given[i:])
		switch {
		case r == '\n':
			if endsBlock(given, i) {
				write("\n", i)
			} else {
				write(" ", i)
			}
		case r == '\r', r < ' ' && r != '\t', r == 0x7f, r == '\u00ad',
			r != '\u200d' && r != '\u200c' && unicode.Is(unicode.Cf, r):
		case r == '\t', unicode.Is(unicode.Zs, r):
			write(" ", i)
		case r >= '०' && r <= '९':
			write(string('0'+r-'०'), i)
		case r >= '‐' && r <= '―', r == '−':
			write("-", i)
		case r == '‘', r == '’', r == '′':
			write("'", i)
		case r == '“', r == '”', r == '„':
			write(`"`, i)
		default:
			write(given[i:i+size], i)
		}
		i += size
	}
	p.text = b.String()
	p.low = lowerASCII(p.text)
	return p
}

// source returns the offsets in the given text of a part of the plain text.
func (p *plain) source(start, end int) (int, int) {
	if start >= end || end > len(p.from) {
		return 0, 0
	}
	last := int(p.from[end-1])
	_, size := utf8.DecodeRuneInString(p.given[last:])
	return int(p.from[start]), last + size
}

// markup returns the length of the markup or web address at an offset, or 0 if the text there is neither.
func markup(s string, i int) int {
	rest := s[i:]
	switch s[i] {
	case '*', '`', '~':
		return 1
	case '_':
		if i == 0 || i+1 == len(s) || !isAlnum(s[i-1]) || !isAlnum(s[i+1]) {
			return 1
		}
	case '\\':
		if len(rest) > 1 && strings.IndexByte("\\`*_{}[]()#+-.!|<>~&:/", rest[1]) >= 0 {
			return 1
		}
	case ']':
		if to, ok := strings.CutPrefix(rest, "]("); ok {
			if end := strings.IndexAny(to, ") \n"); end >= 0 && to[end] == ')' && isAddress(to[:end]) {
				return len("](") + end + 1
			}
		}
	case '<':
		if end := strings.IndexAny(rest[1:], ">\n<"); end > 0 && end < 300 && rest[1+end] == '>' &&
			(isLetter(rest[1]) || rest[1] == '/') {
			return end + 2
		}
	case 'h':
		if strings.HasPrefix(rest, "https://") || strings.HasPrefix(rest, "http://") {
			if end := strings.IndexAny(rest, " \n\t)>|]"); end > 0 {
				return end
			}
			return len(rest)
		}
	case '>':
		if i == 0 || s[i-1] == '\n' {
			return 1
		}
	}
	return 0
}

func isAddress(s string) bool {
	return strings.Contains(s, "://") || strings.HasPrefix(s, "#") || strings.HasPrefix(s, "/") ||
		strings.HasPrefix(s, "mailto:") || strings.HasPrefix(s, "<")
}

// endsBlock reports whether the line break at i ends a paragraph, item, heading or row.
func endsBlock(s string, i int) bool {
	before := strings.TrimSpace(s[strings.LastIndexByte(s[:i], '\n')+1 : i])
	after := s[i+1:]
	if end := strings.IndexByte(after, '\n'); end >= 0 {
		after = after[:end]
	}
	after = strings.TrimSpace(after)
	if before == "" || after == "" || before[0] == '#' || before[0] == '|' || strings.HasSuffix(before, "|") ||
		strings.HasPrefix(before, "```") {
		return true
	}
	switch after[0] {
	case '#', '|', '>':
		return true
	case '-', '*', '+':
		return len(after) > 1 && after[1] == ' '
	case '`':
		return strings.HasPrefix(after, "```")
	}
	digits := 0
	for digits < len(after) && isDigit(after[digits]) {
		digits++
	}
	return digits > 0 && digits < 4 && digits+1 < len(after) && (after[digits] == '.' || after[digits] == ')') &&
		after[digits+1] == ' '
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || isUpper(c) }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) }
