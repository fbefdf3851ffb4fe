package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/weights"
)

var (
	dayRoles  = []string{gst.ReplyDay, gst.PayDay, gst.PapersDay, gst.HearingDay, gst.IssueDay, gst.PastDay}
	timeRoles = []string{gst.AnswerTime, gst.PayTime, gst.PapersTime, gst.AppealTime, gst.OtherTime}
)

// ownOrOther configures learning whether a candidate is the paper's own value.
var ownOrOther = weights.Learning{Kinds: []string{"own", "other"}, Rounds: 30, Decay: 0.002, Least: 2}

// ownOnes returns the candidates for a question with one correct value. Values that may also count as correct are left
// out.
func ownOnes(papers []paper, question, field string) []weights.Example {
	var all []weights.Example
	for _, p := range papers {
		if _, told := p.Truth[field]; !told {
			continue
		}
		truth := plain(p.Truth[field])
		others := p.alternates(field)
		for _, n := range p.noted {
			value := plain(n.Value)
			if n.Question != question || value != truth && slices.Contains(others, value) {
				continue
			}
			e := weights.Example{Observed: n.Observed, Kind: "other", Weight: 1}
			if value == truth {
				e.Kind = "own"
			}
			all = append(all, e)
		}
	}
	return all
}

// signed returns the lines with an officer's rank; the last one that has the officer's own is where the paper is
// signed.
func signed(papers []paper) []weights.Example {
	var all []weights.Example
	for _, p := range papers {
		if d, told := p.Truth["designation"]; p.corpus == "own" && (!told || d == nil) {
			continue
		}
		officer, _ := p.Truth["officer"].(map[string]any)
		truth, own := plain(officer["designation"]), -1
		for i, n := range p.noted {
			if n.Question == gst.OfficerQuestion && truth != "" && strings.Contains(plain(n.Value), truth) {
				own = i
			}
		}
		for i, n := range p.noted {
			switch {
			case n.Question != gst.OfficerQuestion:
			case i == own:
				all = append(all, weights.Example{Observed: n.Observed, Kind: "own", Weight: 1})
			case truth != "" && !strings.Contains(plain(n.Value), truth):
				all = append(all, weights.Example{Observed: n.Observed, Kind: "other", Weight: 1})
			}
		}
	}
	return all
}

// plain returns a value in the form in which values are compared.
func plain(v any) string {
	text, _ := v.(string)
	return strings.ToUpper(strings.NewReplacer("M/s.", "", "M/s", "", "M/S", "", " ", "", ".", "", ",",
		"").Replace(text))
}

// The weight of one variation of a phrase, relative to a place in a paper; and the weight if it only says what the
// paper's own date is not.
const ofPhrase, ofOtherDay = 0.5, 0.1

// learn computes the weights for all questions.
func learn(said []phrase, papers []paper) gst.Learned {
	l := gst.Learned{}
	byQuestion := map[string][]weights.Example{}
	for _, p := range said {
		weight := ofPhrase
		if p.question == gst.IssueQuestion {
			weight = ofOtherDay
		}
		byQuestion[p.question] = append(byQuestion[p.question],
			weights.Example{Observed: p.observed, Kind: p.role, Weight: weight})
	}
	days, times := byQuestion[gst.DayQuestion], byQuestion[gst.TimeQuestion]
	byDay := weights.Learning{Kinds: dayRoles, Rounds: 30, Decay: 0.002, Least: 2}
	first := byDay.Learn(days)
	for _, p := range papers {
		days = append(days, daysOf(p, first)...)
	}
	l[gst.DayQuestion] = byDay.Learn(days)
	for question, field := range map[string]string{gst.IssueQuestion: "issue_date", gst.GSTINQuestion: "gstin",
		gst.ReferenceQuestion: "reference", gst.NameQuestion: "legal_name"} {
		l[question] = ownOrOther.Learn(append(ownOnes(papers, question, field), byQuestion[question]...))
	}
	l[gst.OfficerQuestion] = ownOrOther.Learn(signed(papers))
	byTime := weights.Learning{Kinds: timeRoles, Rounds: 30, Decay: 0.002, Least: 2}
	first = byTime.Learn(times)
	for _, p := range papers {
		times = append(times, timesOf(p, first)...)
	}
	l[gst.TimeQuestion] = byTime.Learn(times)
	return l
}

// daysOf returns the dates of a paper with their purpose, from its labels. If a labelled date occurs in several
// places, places that the phrases alone do not recognise are left out, since the date may have another purpose there.
func daysOf(p paper, phrases *weights.Model) []weights.Example {
	reply, hearing, issue := p.date("reply_due"), p.date("hearing"), p.date("issue_date")
	var all []weights.Example
	for _, role := range []struct{ name, day string }{{gst.ReplyDay, reply}, {gst.HearingDay, hearing}} {
		if role.day == "" || role.day == issue {
			continue
		}
		best, at := 0.0, -1
		for i, n := range p.noted {
			if n.Question == gst.DayQuestion && n.Value == role.day {
				if chance := phrases.Judge(n.Observed).Chances[role.name]; chance > best {
					best, at = chance, i
				}
			}
		}
		for i, n := range p.noted {
			if n.Question == gst.DayQuestion && n.Value == role.day &&
				(i == at || phrases.Judge(n.Observed).Chances[role.name] > 0.5) {
				all = append(all, weights.Example{Observed: n.Observed, Kind: role.name, Weight: 1})
			}
		}
	}
	for _, n := range p.noted {
		if n.Question != gst.DayQuestion || n.Value == reply || n.Value == hearing || n.Value == "" {
			continue
		}
		kind := gst.PastDay
		if n.Value == issue {
			kind = gst.IssueDay
		} else if n.Value > issue {
			v := phrases.Judge(n.Observed)
			_, told := p.Truth["reply_due"]
			unsettled := reply == "" && v.Chances[gst.ReplyDay] > 0.2 ||
				hearing == "" && v.Chances[gst.HearingDay] > 0.5 // it may be one that contradicts another
			if v.Chances[gst.PayDay]+v.Chances[gst.PapersDay] > 0.5 || issue == "" || !told || unsettled {
				continue // the labels say nothing about these
			}
		}
		all = append(all, weights.Example{Observed: n.Observed, Kind: kind, Weight: 1})
	}
	return all
}

// timesOf returns the numbers of days in a paper whose reply date must be computed. The one that gives the date is the
// time to reply, or to appeal against an order; the purpose of the others comes from the phrases.
func timesOf(p paper, phrases *weights.Model) []weights.Example {
	due, _ := p.Truth["reply_due"].(map[string]any)
	issued, err := time.Parse("2006-01-02", p.date("issue_date"))
	if err != nil || due["source"] != "computed" {
		return nil
	}
	var all []weights.Example
	for _, n := range p.noted {
		var count int
		var unit string
		if _, err := fmt.Sscanf(n.Value, "%d %s", &count, &unit); n.Question != gst.TimeQuestion || err != nil ||
			strings.HasPrefix(unit, "working") {
			continue
		}
		last := issued.AddDate(0, 0, count)
		if unit == "months" {
			last = issued.AddDate(0, count, 0)
		}
		kind := gst.AnswerTime
		if last.Format("2006-01-02") != due["date"] {
			chances := phrases.Judge(n.Observed).Chances
			kind = gst.OtherTime
			for _, role := range []string{gst.PayTime, gst.PapersTime, gst.AppealTime} {
				if chances[role] > chances[kind] {
					kind = role
				}
			}
		} else if unit == "months" {
			kind = gst.AppealTime
		}
		all = append(all, weights.Example{Observed: n.Observed, Kind: kind, Weight: 1})
	}
	return all
}

// encode writes the weights, one line for each observation, without those that hardly distinguish anything.
func encode(l gst.Learned) ([]byte, error) {
	const least = 0.15
	var b bytes.Buffer
	b.WriteString("{")
	for i, question := range slices.Sorted(maps.Keys(l)) {
		m := l[question]
		kinds, err := json.Marshal(m.Kinds)
		if err != nil {
			return nil, fmt.Errorf("encode the kinds of %s: %w", question, err)
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n%q: {\"kinds\": %s, \"weights\": {", question, kinds)
		first := true
		for _, o := range slices.Sorted(maps.Keys(m.Weights)) {
			ws := slices.Clone(m.Weights[o])
			for k := range ws {
				ws[k] = math.Round(100*ws[k]) / 100
			}
			if slices.Max(ws)-slices.Min(ws) < least {
				continue
			}
			name, err := json.Marshal(o)
			if err != nil {
				return nil, fmt.Errorf("encode %q: %w", o, err)
			}
			line, err := json.Marshal(ws)
			if err != nil {
				return nil, fmt.Errorf("encode the weights of %q: %w", o, err)
			}
			if !first {
				b.WriteString(",")
			}
			first = false
			fmt.Fprintf(&b, "\n%s: %s", name, line)
		}
		b.WriteString("}}")
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// leastTemplates is how many templates must contain a word for it to count as shared.
const leastTemplates = 3

// sharedWords returns the sorted words that the papers share: in small letters, long enough to be distinguished, and
// in the text layers of several templates.
func sharedWords(papers []paper) []string {
	in := map[string]map[string]bool{}
	count := func(text, where string) {
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return r < 'a' || r > 'z'
		}) {
			if len(word) < gst.ShortestWord {
				continue
			}
			if in[word] == nil {
				in[word] = map[string]bool{}
			}
			in[word][where] = true
		}
	}
	for _, p := range papers {
		for _, page := range p.pages {
			if !page.Recognised {
				count(page.Text, p.template())
			}
		}
	}
	var all []string
	for word, where := range in {
		if len(where) >= leastTemplates {
			all = append(all, word)
		}
	}
	slices.Sort(all)
	return all
}
