package table

import "strings"

// confused replaces letters that recognition confuses by a common representative.
var confused = strings.NewReplacer("rn", "m", "nt", "m", "ri", "n", "ii", "u", "cl", "d", "vv", "w", "0", "o", "1", "l",
	"i", "l", "!", "l", "|", "l", "5", "s", "8", "b", "6", "b", "9", "g", "e", "c")

// Misread reports whether a word of at least five letters, in lower case, may be a misreading of another: look-alike
// letters count as equal, and at most one other letter may be inserted, lost or changed.
func Misread(seen, word string) bool {
	const least = 5
	if min(len(seen), len(word)) < least {
		return seen == word
	}
	return WithinOne(confused.Replace(seen), confused.Replace(word))
}

// WithinOne reports whether two words differ in at most one letter, inserted, lost or changed.
func WithinOne(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i >= len(a)-1 || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

// lookAlikes are the pairs of digits that print and recognition make look alike.
const lookAlikes = "06 08 09 14 17 27 35 38 39 49 56 58 59 68 69 89"

// lookAlike reports whether recognition may have read one number for another: a digit was lost or added, or one was
// taken for another of its shape.
func lookAlike(a, b string) bool {
	if !WithinOne(a, b) || len(a) != len(b) {
		return WithinOne(a, b)
	}
	for i := range len(a) {
		if a[i] != b[i] {
			return strings.Contains(lookAlikes, string([]byte{min(a[i], b[i]), max(a[i], b[i])}))
		}
	}
	return true
}
