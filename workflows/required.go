package workflows

import (
	"regexp"
	"strings"
	"unicode"
)

// Required is a document that a reply requires.
type Required struct{ Type, Reason, State string }

var (
	// "Required Document(s):" anywhere in a line, or without the colon as a heading or a bold line.
	requiredHead  = regexp.MustCompile(`(?i)required\s+documents?(?:\s*\(s\))?\s*[*_]{0,3}\s*:\s*[*_]{0,3}`)
	requiredTitle = regexp.MustCompile(`(?i)^\s*(?:>\s*)?(?:#{1,6}|\*\*|__)\s*(?:\d+[.)]\s*)?[*_]{0,3}\s*(?:list of\s+)?(?:additional\s+)?required\s+documents?(?:\s*\(s\))?\s*[*_]{0,3}\s*$`)
	bullet        = regexp.MustCompile(`^\s*(?:[-*+•‣–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+(.*\S)\s*$`)
	heading       = regexp.MustCompile(`^\s*(#{1,6})\s`)
	emphasis      = regexp.MustCompile(`\*\*|__|\x60`)
	checkbox      = regexp.MustCompile(`^\[[ xX]?\]\s*`)
	// What nobody may be asked to upload; a model that asks for it was misled by its input.
	secret = regexp.MustCompile(`(?i)\b(?:atm|debit|credit) card (?:numbers?|details)\b|\bpass\s?(?:word|code|phrase)s?\b|\botps?\b|one[- ]time (?:pin|code)|\bcvv\b|\b(?:upi|atm|card|mobile|m)[- ]?pin\b|\blog-?in (?:id|details|credentials)|\bcredentials\b|private key|पासवर्ड|ओटीपी|ओ\.?टी\.?पी`)
)

// RequiredIn parses the list of required documents in an answer: the bulleted or numbered lines after "Required
// Document(s):", up to the first blank line after the first item. Each is split at its first colon into type and
// reason; without a colon, all of it is the type. A line indented under a bullet continues its reason, a sub-heading
// between bullets is skipped, and a line that asks for a password or the like is left out. found reports whether there
// is such a section; if there are several, the last one counts.
func RequiredIn(answer string) (list []Required, found bool) {
	lines := strings.Split(strings.ReplaceAll(answer, "\r\n", "\n"), "\n")
	start := -1
	for i, line := range lines {
		if requiredHead.MatchString(line) || requiredTitle.MatchString(line) {
			start = i
		}
	}
	if start < 0 {
		return nil, false
	}
	list = []Required{}
	seen := map[Required]bool{}
	level := headingLevel(lines[start])
	bullets, blank := false, false
	for _, line := range lines[start+1:] {
		if strings.TrimSpace(line) == "" {
			blank = bullets
			continue
		}
		if deep := headingLevel(line); deep > 0 {
			if level == 0 && !bullets {
				level = deep - 1 // the first sub-heading in a section whose own title is plain text
			}
			if level == 0 || deep <= level {
				break
			}
			blank = false
			continue
		}
		if blank {
			break
		}
		m := bullet.FindStringSubmatch(line)
		if m == nil {
			if len(list) > 0 && startsIndented(line) {
				last := &list[len(list)-1]
				last.Reason = strings.TrimSpace(last.Reason + " " + plain(line))
			}
			continue
		}
		bullets = true
		item := divide(plain(checkbox.ReplaceAllString(m[1], "")))
		if asksSecret(item.Reason) {
			item.Reason = "" // the paper may be needed, but not the secret that opens it
		}
		same := Required{Type: strings.ToLower(item.Type), Reason: strings.ToLower(item.Reason)}
		if item.Type != "" && !seen[same] && !asksSecret(item.Type) {
			seen[same] = true
			list = append(list, item)
		}
	}
	return list, true
}

// SecretsIn returns the positions of lines in an answer's list of required documents that ask for a password or the
// like.
func SecretsIn(answer string) [][2]int {
	if _, found := RequiredIn(answer); !found {
		return nil
	}
	var places [][2]int
	at := 0
	for line := range strings.SplitAfterSeq(answer, "\n") {
		if m := bullet.FindStringSubmatchIndex(strings.TrimRight(line, "\r\n")); m != nil &&
			asksSecret(line[m[2]:m[3]]) {
			places = append(places, [2]int{at + m[2], at + m[3]})
		}
		at += len(line)
	}
	return places
}

// asksSecret reports whether a text asks for a password or the like, also with characters between its letters that are
// not seen.
func asksSecret(text string) bool {
	return secret.MatchString(strings.Map(func(r rune) rune {
		if unseen(r) {
			return -1
		}
		return r
	}, text))
}

func unseen(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

// isBlank reports whether nothing of an answer is seen: it is empty, or only marks of Markdown.
func isBlank(answer string) bool {
	return strings.IndexFunc(answer, func(r rune) bool {
		return !unicode.IsSpace(r) && !unseen(r) && !strings.ContainsRune("*_#>~-|`", r)
	}) < 0
}

func headingLevel(line string) int {
	if m := heading.FindStringSubmatch(line); m != nil {
		return len(m[1])
	}
	return 0
}

// divide splits a line at its first colon that is not part of a link or a time of day.
func divide(line string) Required {
	for i := 0; i < len(line); i++ {
		if line[i] != ':' || strings.HasPrefix(line[i:], "://") || inLink(line, i) {
			continue
		}
		if i > 0 && i+1 < len(line) && isDigit(line[i-1]) && isDigit(line[i+1]) {
			continue
		}
		return Required{Type: documentName(line[:i]), Reason: strings.TrimSpace(line[i+1:])}
	}
	return Required{Type: documentName(line)}
}

// inLink reports whether the address of a link goes on after the character at i.
func inLink(line string, i int) bool {
	word := line[strings.LastIndexAny(line[:i], " \t")+1 : i]
	return strings.Contains(word, "://") && i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func documentName(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".;, ") }

func startsIndented(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
}

// plain removes the emphasis marks from a line.
func plain(line string) string {
	line = emphasis.ReplaceAllString(line, "")
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "*_"))
}
