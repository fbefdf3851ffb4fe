package word

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName stays below the 255 bytes that file systems allow, because a browser may add something to a name that
// is taken.
const longestName = 200

// devices matches names that Windows reserves, such as "con", whatever follows their first dot.
var devices = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)`)

var spaces = regexp.MustCompile(`[\s\p{Z}]+`)

// FileName returns the file name for a title: in lower case, with hyphens for white space and for the slashes of
// references, ending in .docx. Letters of every script are kept, so a header must encode the name with
// mime.FormatMediaType. Characters that a file system or a header cannot take are dropped; if nothing is left, the name
// is "document".
func FileName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Z, r), r == '/', r == '\\':
			return ' '
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), strings.ContainsRune("-_.,()+=@&", r),
			unicode.Is(unicode.Sc, r) && r != '$':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.ToValidUTF8(title, ""))
	name = spaces.ReplaceAllString(strings.TrimSpace(name), "-")
	for len(name) > longestName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	name = strings.Trim(name, ".-")
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		name = "document"
	}
	if devices.MatchString(name) {
		name = "document-" + name
	}
	return name + ".docx"
}
