package cite

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

var (
	headName = lazyregexp.New(`\b(?:igst|cgst|sgst|utgst|cess|integrated tax|central tax|state tax|union territory tax)\b`)
	// headAfter matches a head of tax after its amount, as in "₹500 as IGST" or "₹500 (IGST)".
	headAfter = lazyregexp.New(`^ ?(?:\(|as |of |in |under |towards |for )?(?:the )?(igst|cgst|sgst|utgst|cess)\b`)
	// cellOf matches an amount in a table cell, which may have no currency sign.
	cellOf = lazyregexp.New(`\| ?(?:₹|rs\.? ?)?(\d[\d,]*(?:\.\d+)?)()()(?:/-)? ?(?:\||$)`)
)

var headNames = map[string]string{
	"integrated tax": "IGST", "central tax": "CGST", "state tax": "SGST", "union territory tax": "UTGST",
}

func headOf(name string) string {
	if head, ok := headNames[name]; ok {
		return head
	}
	return strings.ToUpper(name)
}

// NamesHeads reports whether a text names a head of tax on a line with an amount.
func NamesHeads(text string) bool {
	for line := range strings.SplitSeq(newPlain(text).low, "\n") {
		if headName.MatchString(line) && (amount.MatchString(line) || cellOf.MatchString(line)) {
			return true
		}
	}
	return false
}

// heads marks amounts that an answer puts under a head of tax although the demand has them only under another. An
// amount that is not in the demand is ignored: it may be elsewhere in the notice.
func heads(p *plain, n *Notice) []Mark {
	if len(n.Heads) == 0 {
		return nil
	}
	var marks []Mark
	start := 0
	for line := range strings.SplitSeq(p.low, "\n") {
		at := start
		start += len(line) + 1
		if !headName.MatchString(line) {
			continue
		}
		for _, a := range underHeads(line) {
			if wrong := n.otherHead(line, a); wrong != "" {
				sum := rupees(a.value(line))
				mark := Mark{Start: at + a.start, End: at + a.end, Kind: Contradicted, Verdict: Contradicts,
					Provision: "the sum under " + a.heads[0], Heading: sum + " under " + wrong}
				mark.say("other_head", message.Params{"fact": sum, "head": wrong,
					"other": message.Citation(strings.Join(a.heads, " or "))})
				marks = append(marks, mark)
			}
		}
	}
	return marks
}

// headed is an amount of a line with the heads to which it may belong.
type headed struct {
	start, end int   // offsets in the line
	match      []int // of the pattern amount
	heads      []string
}

func (a headed) value(line string) float64 {
	value, _, _ := valueOf(line, a.match)
	return value
}

// underHeads returns the amounts of a line that it puts under heads: in a table row, under the head in the first
// cell; in a sentence, under the head directly after the amount, else under those named since the previous amount.
func underHeads(line string) []headed {
	var all []headed
	if row := strings.TrimSpace(line); strings.HasPrefix(row, "|") {
		first, rest, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
		names := namesIn(first)
		if len(names) == 0 || headName.MatchString(rest) {
			return nil
		}
		for from := strings.Index(line, first) + len(first); from < len(line); {
			m := cellOf.FindStringSubmatchIndex(line[from:])
			if m == nil {
				break
			}
			for i := range m {
				m[i] += from
			}
			m[4], m[5] = -1, -1
			all = append(all, headed{m[2], m[3], m, names})
			from = m[3] // the bar after it begins the next cell
		}
		return all
	}
	end := 0
	for _, m := range amount.FindAllStringSubmatchIndex(line, -1) {
		if after := headAfter.FindStringSubmatch(line[m[1]:]); after != nil {
			all = append(all, headed{m[0], m[1], m, []string{headOf(after[1])}})
		} else {
			between := line[end:m[0]]
			if stop := strings.LastIndexAny(between, ".;"); stop >= 0 {
				between = between[stop:]
			}
			const farthest = 40
			if names := namesIn(between[max(0, len(between)-farthest):]); len(names) > 0 {
				all = append(all, headed{m[0], m[1], m, names})
			}
		}
		end = m[1]
	}
	return all
}

func namesIn(low string) []string {
	var names []string
	for _, m := range headName.FindAllStringIndex(low, -1) {
		if head := headOf(low[m[0]:m[1]]); !slices.Contains(names, head) {
			names = append(names, head)
		}
	}
	return names
}

// otherHead returns a head under which the demand has the amount. It is "" if the demand has it under one of the
// amount's own heads or as a total, or does not have it.
func (n *Notice) otherHead(line string, a headed) string {
	other := ""
	for _, h := range n.Heads {
		if !isOne(line, a.match, h.Sums) {
			continue
		}
		if slices.Contains(a.heads, h.Head) {
			return ""
		}
		other = h.Head
	}
	if other == "" || a.value(line) == 0 || isOne(line, a.match, n.Totals) {
		return ""
	}
	return other
}
