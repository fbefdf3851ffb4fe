package law

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words for the search. A text gives three kinds of tokens: its words without endings; their meaning, if the synonyms
// contain it ("=itc"); and their sound ("~krdt"), by which क्रेडिट, credit and kredit are the same.

// fold returns a word in one spelling: lower case, and Devanagari without nukta, with one sign for nasals and no
// distinction between short and long i and u.
func fold(word string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(word) {
		switch r {
		case '\u093c', '\u200d', '\u200c', '\u0903': // nukta, joiners, visarga
		case 'ँ':
			b.WriteRune('ं')
		case 'ी':
			b.WriteRune('ि')
		case 'ू':
			b.WriteRune('ु')
		case 'ई':
			b.WriteRune('इ')
		case 'ऊ':
			b.WriteRune('उ')
		case 'ऑ':
			b.WriteRune('आ')
		case 'ॉ':
			b.WriteRune('ा')
		case '\u0958', '\u0959', '\u095a', '\u095b', '\u095c', '\u095d', '\u095e': // letters with a built-in nukta
			b.WriteRune([]rune("कखगजडढफ")[r-'\u0958'])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Fold returns a text in one spelling: lower case, and one form for what Devanagari can write in several.
func Fold(text string) string { return fold(text) }

// betweenWords reports whether a rune is not part of a word: no letter, digit or vowel sign.
func betweenWords(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\u200d' && r != '\u200c'
}

// wordsOf splits a text into folded words. Adjacent digits and letters are one word: "74a", "gstr", "3b".
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, betweenWords)
	for i, w := range words {
		if w == "DIN" && strings.ContainsFunc(text, unicode.IsLower) {
			w = documentNumber
		}
		words[i] = fold(w)
	}
	return joinForms(words)
}

// documentNumber replaces the DIN of a notice, which only its capitals distinguish from Hindi din (day).
const documentNumber = "documentidentificationnumber"

var formPrefixes = wordSet("gstr reg cmp drc rfd asmt apl pmt itc tran enr ewb ins inv mis adt pct spl trc cpd ara srm")

// joinForms makes the name of a form one word, however it is written: gstr 3b, gstr-3B and gstr3b are "gstr3b";
// ITC-04 is "itc4" and has nothing to do with ITC.
func joinForms(words []string) []string {
	kept := words[:0]
	for i := 0; i < len(words); i++ {
		w := words[i]
		if formPrefixes[w] && i+1 < len(words) && formNumber(words[i+1]) && (w != "itc" || words[i+1][0] == '0') {
			kept = append(kept, w+strings.TrimLeft(words[i+1], "0"))
			i++
			continue
		}
		kept = append(kept, w)
	}
	return kept
}

// formNumber reports whether a word is the number of a form, such as 03, 3b or 10.
func formNumber(w string) bool {
	digits := strings.TrimRight(w, "abc")
	return len(digits) > 0 && len(digits) <= 2 && len(w)-len(digits) <= 1 && isDigits(digits)
}

// stem removes common English and Hindi endings from a folded word.
func stem(w string) string {
	if r := []rune(w); len(r) > 0 && r[0] >= 0x900 && r[0] <= 0x97f {
		return stemHindi(r)
	}
	if len(w) < 4 || w[0] <= '9' {
		return w
	}
	for _, e := range englishEndings {
		if strings.HasSuffix(w, e.ending) && len(w)-len(e.ending) >= e.keep {
			w = w[:len(w)-len(e.ending)] + e.with
			break
		}
	}
	if n := len(w); n > 4 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' {
		w = w[:n-1]
	}
	if len(w) > 4 {
		w = strings.TrimSuffix(w, "e")
	}
	if n := len(w); n > 4 && w[n-1] == 'y' { // compulsory, compulsorily
		w = w[:n-1] + "i"
	}
	return w
}

var englishEndings = []struct {
	ending, with string
	keep         int
}{
	{"isations", "is", 4}, {"isation", "is", 4}, {"izations", "is", 4}, {"ization", "is", 4},
	{"ations", "", 5}, {"ation", "", 5}, {"ements", "", 5}, {"ement", "", 5}, {"ments", "", 4}, {"ment", "", 4},
	{"ances", "", 5}, {"ance", "", 5}, {"ences", "", 5}, {"ence", "", 5}, {"als", "", 5}, {"al", "", 5},
	{"able", "", 5}, {"ible", "", 5}, {"iers", "y", 3}, {"ier", "y", 4}, {"ies", "y", 2}, {"ied", "y", 3},
	{"ings", "", 4}, {"ing", "", 3}, {"edly", "", 4}, {"ed", "", 3}, {"ers", "", 4}, {"er", "", 4}, {"ors", "", 4},
	{"or", "", 5}, {"sses", "ss", 2}, {"xes", "x", 2}, {"ches", "ch", 2}, {"shes", "sh", 2}, {"ly", "", 4},
	{"ss", "ss", 1}, {"us", "us", 1},
	{"s", "", 3},
}

var hindiEndings = []string{"ियों", "ियां", "ाओं", "ुओं", "ुएं", "ओं", "एं", "ाया", "ाये", "ाने", "ाना", "ों", "ें",
	"ां", "िं", "ने", "ना", "ता", "ते", "ति", "ा", "ि", "े", "ो", "ु", "ं"}

func stemHindi(r []rune) string {
	for _, ending := range hindiEndings {
		e := []rune(ending)
		if len(r) > len(e)+1 && string(r[len(r)-len(e):]) == ending {
			return string(r[:len(r)-len(e)])
		}
	}
	return string(r)
}

// spelling is the stem and sound of a folded word. They are cached while an Index is built, because words recur.
type spelling struct{ stem, sound string }

// consonants are the Devanagari consonants as they sound in a skeleton: without aspiration, so that both Hinglish
// spellings agree.
var consonants = map[rune]string{
	'क': "k", 'ख': "k", 'ग': "g", 'घ': "g", 'ङ': "n", 'च': "c", 'छ': "c", 'ज': "j", 'झ': "j", 'ञ': "n",
	'ट': "t", 'ठ': "t", 'ड': "d", 'ढ': "d", 'ण': "n", 'त': "t", 'थ': "t", 'द': "d", 'ध': "d", 'न': "n",
	'प': "p", 'फ': "f", 'ब': "b", 'भ': "b", 'म': "m", 'य': "y", 'र': "r", 'ल': "l", 'ळ': "l", 'व': "v",
	'श': "s", 'ष': "s", 'स': "s", 'ह': "h", 'ं': "n", 'ृ': "r", 'ऋ': "r",
}

// skeleton returns the sound of a word without its vowels; "" if the word has digits or is too short to be
// distinctive.
func skeleton(w string) string {
	var b strings.Builder
	put := func(s string) {
		if !strings.HasSuffix(b.String(), s) {
			b.WriteString(s)
		}
	}
	r := []rune(w)
	for i := 0; i < len(r); i++ {
		c := r[i]
		next := rune(0)
		if i+1 < len(r) {
			next = r[i+1]
		}
		switch {
		case c >= '0' && c <= '9':
			return ""
		case consonants[c] != "":
			put(consonants[c])
		case strings.ContainsRune("अआइउएऐओऔ", c) && i == 0, strings.ContainsRune("aeiou", c) && i == 0:
			b.WriteByte('a')
		case c == 'c' && next == 'h':
			put("c")
			i++
			if i+1 < len(r) && r[i+1] == 'h' {
				i++
			}
		case c == 'c' && strings.ContainsRune("eiy", next):
			put("s")
		case c == 'c' || c == 'q':
			put("k")
		case c == 'p' && next == 'h':
			put("f")
			i++
		case c == 's' && next == 'h':
			put("s")
			i++
		case strings.ContainsRune("kgjtdb", c) && next == 'h':
			put(string(c))
			i++
		case c == 'z':
			put("j")
		case c == 'w':
			put("v")
		case c == 'x':
			put("k")
			put("s")
		case c == 'y' && (next == 0 || !strings.ContainsRune("aeiou", next)):
			// A vowel: penalty.
		case c >= 'b' && c <= 'z' && !strings.ContainsRune("aeiou", c):
			put(string(c))
		}
	}
	if b.Len() < 3 {
		return ""
	}
	return b.String()
}

// idle are words that say nothing about the subject of a question.
var idle = foldedSet(`a an the of to in on for by and or is are was be been am i my me we our you your he she it its his her they their this that
	these those what which who whom whose when where how why can could shall should will would may might must do does did done
	not no any all as at from with without if then than so such under into out up about has have had get got give given my im
	there here also but only per case please tell explain meaning mean need want make made
	का के कि को में से पर और या है हैं हो होता होति होगा हुआ हुइ हुए था थे थि ने एक यह वह इस उस ये वे जो तो भि हि मैं मेरा मेरि मेरे हम हमारा अपना अपने अपनि आप
	क्या कैसे कब कौन कहां क्यों कितना कितने कितनि किस किसे किसके कर करना करने करें करते करे किया जा जाता जाए जाएगा सकता सकते सकति सके चाहिए
	दिया दे देना गया गइ गए लिए साथ बाद अगर तक बिना नहिं लगता लगति लगेगा मिलता मिलेगा रहा रहे वाला वाले बताएं होने
	ka ke ki ko me mein main se par aur ya hai hain ho hota hoti hoga hua hui hue tha the thi ne ek yeh ye woh wo jo to bhi hi
	mera meri mere hum hamara apna apne apni aap kya kaise kab kaun kahan kyon kyu kitna kitne kitni kis kise kar karna karne kare karen
	karte kiya ja jata jaye jayega sakta sakte sakti chahiye diya de dena gaya gayi gaye liye sath baad agar tak bina nahi nahin lagta
	lagti lagega lagegi milta milega raha rahe wala wale ho karwaye karwana karke`)

func foldedSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[fold(word)] = true
	}
	return set
}
