package account

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"munshi/orchestrator/problem"
)

//go:embed common.txt
var commonWords string

// common has the words most used in passwords, normalised by plainWord.
var common = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(commonWords) {
		words[plainWord(word)] = true
	}
	return words
})

// choosable refuses a password that is too short, too long, or easy to guess for this address.
func (a *Accounts) choosable(password, address string) error {
	name, _, _ := strings.Cut(address, "@")
	switch {
	case utf8.RuneCountInString(password) < shortestPassword:
		return problem.New("short_password", nil, nil)
	case len(password) > longestPassword:
		return problem.New("long_password", nil, nil)
	case guessed(password, name, address, a.name):
		return problem.New("common_password", nil, nil)
	}
	return nil
}

// guessed reports whether a password is among the first that attackers try: a common word or one of also, with digits
// and signs around it or in place of letters; two such words; only digits; or a sequence of neighbouring keys or
// letters of the alphabet.
func guessed(password string, also ...string) bool {
	typed := strings.ToLower(string(norm.NFKC.Bytes([]byte(password))))
	known := common()
	is := func(word string) bool {
		for _, given := range also {
			if given = plainWord(given); len(given) > 2 && word == given {
				return true
			}
		}
		return known[word]
	}
	// P@ssw0rd1: a sign may replace a letter, or just follow the word.
	for _, word := range []string{plainWord(typed), plainWord(strings.TrimFunc(typed, notLetter))} {
		if is(word) || few(word) {
			return true
		}
		for at := 2; at <= len(word)-2; at++ {
			if is(word[:at]) && is(word[at:]) {
				return true
			}
		}
	}
	letters := strings.Map(func(r rune) rune {
		if notLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, typed)
	return few(letters) || walked(letters) || !strings.ContainsFunc(typed, unicode.IsLetter) && len(letters) <= 12
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// signs maps characters to the letters that they often replace.
var signs = strings.NewReplacer(
	"0", "o", "1", "i", "!", "i", "3", "e", "4", "a", "@", "a", "5", "s", "$", "s", "7", "t", "l", "i",
)

// plainWord returns the letters of a word, with signs replaced by letters; i and l count as the same letter.
func plainWord(word string) string {
	return strings.Map(func(r rune) rune {
		if notLetter(r) {
			return -1
		}
		return r
	}, signs.Replace(strings.ToLower(word)))
}

// few reports whether a text has very few different characters, such as aaaaaaaa, 12121212 or abcabcabc.
func few(text string) bool {
	different := map[rune]bool{}
	for _, r := range text {
		different[r] = true
	}
	return text != "" && len(different) <= 3
}

// walks are sequences of neighbouring keys, and the alphabet.
var walks = []string{
	"qwertyuiop", "asdfghjkl", "zxcvbnm", "01234567890", "abcdefghijklmnopqrstuvwxyz",
	"1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "qazwsxedcrfvtgbyhnujmikolp",
	"1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "a1b2c3d4e5f6g7h8i9", "1a2b3c4d5e6f7g8h9i",
}

// walked reports whether a text consists of parts of such sequences, at least three characters each, forwards or
// backwards.
func walked(text string) bool {
	if text == "" {
		return false
	}
	rest := text
	for rest != "" {
		longest := 0
		for _, walk := range walks {
			for _, way := range []string{walk, backwards(walk)} {
				for n := len(rest); n >= 3 && n > longest; n-- {
					if strings.Contains(way, rest[:n]) {
						longest = n
					}
				}
			}
		}
		if longest == 0 {
			return false
		}
		rest = rest[longest:]
	}
	return true
}

func backwards(text string) string {
	turned := make([]rune, 0, len(text))
	for _, r := range text {
		turned = append([]rune{r}, turned...)
	}
	return string(turned)
}
