package answer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/lazyregexp"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/faq"
)

// Thresholds for how close a common question must come to what is asked: for its answer to be given; for the same if
// it is clearly ahead of the next; for the next one to be offered as a choice too. Only an even closer match, and the
// only one, has its figures worked out, because an amount next to the wrong answer does harm.
const (
	nearCommon   = 0.62
	aheadCommon  = 0.5
	aheadBy      = 1.2
	sureCommon   = 0.7
	nearOutside  = 0.75 // if nothing else indicates that the question is about GST
	secondCommon = 0.9
)

// ofRate matches a rate that people know from GST, such as "18%".
var ofRate = lazyregexp.New(`\b(?:5|12|18|28|40) ?(?:%|per ?cent|percent|प्रतिशत|फ़?ीसदी)`)

// common returns at most two common questions that match what is asked, the closest first. outside says that no word
// of the question is about GST.
func (a *Answers) common(q *question, outside bool) ([]faq.Match, error) {
	if a.faq == nil || q.foreign {
		return nil, nil
	}
	var cited []string
	for _, c := range q.cited {
		cited = append(cited, c.Act+" "+c.Number)
	}
	found, err := a.faq.Find(q.text, q.words(), q.today.ISO(), cited)
	if err != nil {
		return nil, fmt.Errorf("look for a common question: %w", err)
	}
	least := nearCommon
	if len(found) > 1 && found[0].Near >= aheadBy*found[1].Near {
		least = aheadCommon
	}
	if outside {
		if ofElse.MatchString(q.low) ||
			!mayBeGST.MatchString(q.low) && !ofRate.MatchString(q.low) && len(q.forms) == 0 {
			return nil, nil
		}
		least = nearOutside
	}
	if len(found) == 0 || found[0].Near < least {
		return nil, nil
	}
	if len(found) > 1 && found[1].Near >= secondCommon*found[0].Near {
		return found[:2], nil
	}
	return found[:1], nil
}

// beside reports whether a day or an amount was computed from other provisions than those of a common question. If so,
// the person asked something else.
func beside(c *computing, m faq.Match) bool {
	computed := slices.ContainsFunc(c.results, func(r map[string]string) bool {
		return r["last"] != "" || r["amount"] != ""
	})
	root := func(number string) string { number, _, _ = strings.Cut(number, "("); return number }
	return computed && !slices.ContainsFunc(cites(m, len(m.Provisions)), func(p statute.Cited) bool {
		return slices.ContainsFunc(c.cited, func(o statute.Cited) bool {
			return o.Act == p.Act && root(o.Number) == root(p.Number)
		})
	})
}

// withCommon returns the computed results followed by the answers to the common questions. A general rule of time or
// money that led to no day and no amount is left out, since the common answer states it for the case. The figures of
// a common question are left out if a rule computed something or asks for what it needs, because the rule is more
// precise.
func withCommon(c *computing, common []faq.Match) []map[string]string {
	if len(common) == 0 {
		return c.results
	}
	general := []string{"interest", "refund_interest", "appeal", "credit"}
	rows := slices.DeleteFunc(slices.Clone(c.results), func(r map[string]string) bool {
		return r["last"] == "" && r["amount"] == "" && r["base"] == "" && slices.Contains(general, r["rule"])
	})
	for _, m := range common {
		sure := len(common) == 1 && m.Near >= sureCommon
		rows = append(rows, c.commonAnswer(m, sure && len(c.results)+len(c.asks) == 0)...)
	}
	return rows
}

// commonAnswer returns the rows for a common question: one with the question and its answer, then those with its
// figures.
func (q *question) commonAnswer(m faq.Match, works bool) []map[string]string {
	row := map[string]string{"rule": "common", "of": inLanguage(m.Asks, q.speaks),
		"says": strings.TrimSpace(m.Answer.In(q.speaks))}
	if m.Certainty != faq.Sourced {
		row["case"] = "doubt"
	}
	rows := []map[string]string{row}
	for i := 0; works && i < len(m.Works); i++ {
		if worked := q.work(&m.Works[i]); worked != nil {
			rows = append(rows, worked)
		}
	}
	return rows
}

// inLanguage returns the first question in a language, else the first of all.
func inLanguage(asks []string, language string) string {
	for _, ask := range asks {
		if languageOf(ask) == language {
			return ask
		}
	}
	return asks[0]
}

// work returns a row with a worked-out figure, or nil if the question lacks the input. Whether the day has passed is
// shown between "says" and "note".
func (q *question) work(w *faq.Work) map[string]string {
	put := func(take, result string) map[string]string {
		text := strings.NewReplacer("{take}", take, "{result}", result).Replace(w.In(q.speaks))
		before, behind, _ := strings.Cut(text, "{state}")
		return map[string]string{"rule": "worked", "says": before, "note": behind}
	}
	within := func(paise float64) string {
		rounded := int64(math.Round(paise))
		if w.Least > 0 {
			rounded = max(rounded, w.Least*100)
		}
		if w.Most > 0 {
			rounded = min(rounded, w.Most*100)
		}
		return gst.Rupees(rounded)
	}
	switch w.Take {
	case faq.Date:
		var days []when
		for _, t := range q.times {
			if t.kind == "day" {
				days = append(days, t)
			}
		}
		at, ok := q.standsNear(w.Near, len(days), func(i int) (int, int) { return days[i].at, days[i].end })
		if !ok {
			return nil
		}
		months, more, _ := w.Span()
		last := days[at].from.AddMonths(months).AddDays(more)
		row := put(q.date(days[at].from), q.date(last))
		if left := q.today.DaysUntil(last); left < 0 {
			row["over"] = strconv.Itoa(-left)
		} else {
			row["left"] = strconv.Itoa(left)
		}
		return row
	case faq.Amount:
		at, ok := q.standsNear(w.Near, len(q.amounts), func(i int) (int, int) {
			return q.amounts[i].at, q.amounts[i].end
		})
		if !ok {
			return nil
		}
		paise := q.amounts[at].paise
		return put(gst.Rupees(paise), within(float64(paise)*w.Times))
	}
	counts := q.counts()
	at := slices.IndexFunc(counts, func(n bare) bool { // "16 days", not the 8 of "8 months"
		behind := strings.TrimLeft(strings.ToLower(q.text[n.end:]), " -")
		return slices.ContainsFunc(w.Near, func(unit string) bool { return strings.HasPrefix(behind, unit) })
	})
	if at < 0 {
		return nil
	}
	return put(strconv.Itoa(counts[at].n), within(float64(counts[at].n)*w.Times*100))
}

// nearWork is the largest distance, in bytes, between a figure and the word that it belongs to. A Hindi letter takes
// three bytes.
const nearWork = 200

// standsNear returns which of n figures is closest to one of the words; without words, the only one.
func (q *question) standsNear(words []string, n int, span func(i int) (start, end int)) (int, bool) {
	if len(words) == 0 {
		return 0, n == 1
	}
	best, least := -1, nearWork+1
	for i := range n {
		start, end := span(i)
		for _, w := range words {
			for at := 0; ; {
				next := strings.Index(q.low[min(at, len(q.low)):], w)
				if next < 0 {
					break
				}
				at += next
				if d := max(start-(at+len(w)), at-end, 0); d < least {
					best, least = i, d
				}
				at += len(w)
			}
		}
	}
	return best, best >= 0
}

var bareNumber = lazyregexp.New(`\b\d{1,4}\b`)

// bare is a number that is not part of a date or an amount.
type bare struct{ at, end, n int }

// counts returns the bare numbers of a question.
func (q *question) counts() []bare {
	var all []bare
	for _, m := range bareNumber.FindAllStringIndex(q.text, -1) {
		if slices.ContainsFunc(q.spans, func(s [2]int) bool { return s[0] <= m[0] && m[0] < s[1] }) {
			continue
		}
		n, _ := strconv.Atoi(q.text[m[0]:m[1]]) // cannot fail
		all = append(all, bare{m[0], m[1], n})
	}
	return all
}

// cites returns the first provisions of a common question.
func cites(m faq.Match, most int) []statute.Cited {
	var all []statute.Cited
	for _, p := range m.Provisions[:min(most, len(m.Provisions))] {
		act, number, _ := strings.Cut(p, " ")
		all = append(all, statute.Cited{Act: act, Number: number})
	}
	return all
}
