package workflows

import (
	"regexp"
	"strings"
)

// Required is a document that a reply asks for.
type Required struct{ Type, Reason, State string }

var (
	// "Required Document(s):" as models write it: with or without the plural, bold, as a heading, numbered, in any case.
	requiredHead = regexp.MustCompile(`(?i)^\s*(?:>\s*)?(?:#{1,6}\s*)?(?:\d+[.)]\s*)?[*_]{0,3}\s*(?:list of\s+)?(?:additional\s+)?required\s+documents?(?:\(s\))?\s*[*_]{0,3}\s*(:)?\s*[*_]{0,3}\s*(.*)$`)
	bullet       = regexp.MustCompile(`^\s*(?:[-*+•‣–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+(.*\S)\s*$`)
	emphasis     = regexp.MustCompile(`\*\*|__|\x60`)
	checkbox     = regexp.MustCompile(`^\[[ xX]?\]\s*`)
)

// RequiredIn reads the list of required documents from an answer: the text after "Required Document(s):" up to the first
// blank line after its first bullet, the bulleted or numbered lines of it, each cut at the first colon into type and
// reason. A line that is indented under a bullet goes on with its reason. Found tells whether the section is there.
func RequiredIn(answer string) (list []Required, found bool) {
	lines := strings.Split(strings.ReplaceAll(answer, "\r\n", "\n"), "\n")
	start := -1
	for i, line := range lines {
		m := requiredHead.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		heading := strings.HasPrefix(strings.TrimSpace(line), "#") || strings.HasPrefix(strings.TrimSpace(line), "**")
		if m[1] == "" && (!heading || strings.Trim(m[2], "*_ ") != "") {
			continue // a sentence that begins with the words
		}
		start = i + 1 // the last such section is the one that counts
	}
	if start < 0 {
		return nil, false
	}
	list = []Required{}
	seen := map[string]bool{}
	for _, line := range lines[start:] {
		if strings.TrimSpace(line) == "" {
			if len(list) > 0 {
				break
			}
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			break
		}
		m := bullet.FindStringSubmatch(line)
		if m == nil {
			if len(list) == 0 || !startsIndented(line) {
				continue
			}
			last := &list[len(list)-1]
			last.Reason = strings.TrimSpace(last.Reason + " " + plain(line))
			continue
		}
		kind, reason := divide(plain(checkbox.ReplaceAllString(m[1], "")))
		kind = strings.TrimRight(strings.TrimSpace(kind), ".;,")
		if key := strings.ToLower(kind); kind != "" && !seen[key] {
			seen[key] = true
			list = append(list, Required{Type: kind, Reason: strings.TrimSpace(reason)})
		}
	}
	return list, true
}

// divide cuts a line at its first colon, or at a dash where models put one instead.
func divide(line string) (kind, reason string) {
	for _, seam := range []string{":", " – ", " — ", " - "} {
		if kind, reason, ok := strings.Cut(line, seam); ok {
			return kind, reason
		}
	}
	return line, ""
}

func startsIndented(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
}

// plain takes the emphasis off a line.
func plain(line string) string {
	line = emphasis.ReplaceAllString(line, "")
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "*_"))
}
