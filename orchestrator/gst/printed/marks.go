package printed

import (
	"regexp"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
)

// markedLine matches the mark of a ground at the beginning of a line, as in "(x) Credit …", "[A] the due date …", "Obs.
// 1 - …", "Defect (a). …" or "Q.2 …". It captures the word before the mark, such as "obs", because different words
// belong to different lists.
var markedLine = regexp.MustCompile(`(?m)^(?:(?:remarks?|observations?|reasons?)[.:] ?)?(?:(obs(?:ervation)?|para|point|ground|query|q|defect|discrepancy|issue|item|` +
	`finding|objection|matter|charge|reason|head)\.? ?(?:no\.? ?)?)?[\[(]?([a-z]|[ivx]{1,4}|\d{1,2})[\])](?:\.|:)? ?(?:[-–—] ?)?|` +
	`(?m)^(obs(?:ervation)?|query|q|defect|finding|objection|ground|point|reason)\.? ?(?:no\.? ?)?(\d{1,2}|[a-z])[.):]? ?[-–—:.]? ?|` +
	`(?m)^(matter|issue|charge|allegation|discrepancy|finding|point|para|head)\.? ?(?:no\.? ?)?([ivx]{1,4}|\d{1,2}|[a-h]) ?[-–—:] ?`)

// marked returns the grounds that are marked at the beginning of lines. It is used if no charges were found in the
// paper. A list needs two marks in sequence.
func (p *Paper) marked() []block {
	low := lower(p.all)
	type mark struct {
		word, number string
		at           int
	}
	var all []mark
	at := 0
	for line := range strings.Lines(p.all) {
		text := low[at : at+len(line)]
		if m := markedLine.FindStringSubmatch(text); m != nil && len(strings.Fields(text[len(m[0]):])) > 3 {
			word, number := m[1], m[2]
			for i := 3; number == "" && i+1 < len(m); i += 2 {
				word, number = m[i], m[i+1]
			}
			all = append(all, mark{word + shape(text), number, at})
		}
		at += len(line)
	}
	for i := range all {
		list := []block{{number: strings.ToUpper(all[i].number), from: all[i].at, charge: true}}
		last := all[i].number
		for _, m := range all[i+1:] {
			if m.word == all[i].word && follows(last, m.number) {
				list = append(list, block{number: strings.ToUpper(m.number), from: m.at, charge: true})
				last = m.number
			}
		}
		if len(list) > 1 && p.charging(list) {
			return list
		}
	}
	return nil
}

// charging reports whether most grounds of a list name a sum or a provision, which tells charges from a list of papers
// to produce.
func (p *Paper) charging(list []block) bool {
	n := 0
	for i, b := range list {
		to := min(len(p.low), b.from+1500)
		if i+1 < len(list) {
			to = list[i+1].from
		}
		words := p.low[b.from:to]
		if hasAny(words, "section", "rule ", "धारा", "नियम") ||
			slices.ContainsFunc(gst.Sums(words), func(s gst.Sum) bool { return s.Marked }) {
			n++
		}
	}
	return 2*n > len(list)
}

// shape returns the bracket with which a mark begins, "(" or "[".
func shape(line string) string {
	if i := strings.IndexAny(line[:min(len(line), 16)], "(["); i >= 0 {
		return line[i : i+1]
	}
	return ""
}

// follows reports whether next is the mark after last: "b" after "a", "2" after "1", "iii" after "ii".
func follows(last, next string) bool {
	romans := []string{"i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi"}
	for i := 0; i+1 < len(romans); i++ {
		if romans[i] == last && romans[i+1] == next {
			return true
		}
	}
	if len(last) == 1 && len(next) == 1 && last[0] >= 'a' {
		return next[0] == last[0]+1
	}
	return number(next) == number(last)+1 && number(last) > 0
}

func number(s string) int {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}
