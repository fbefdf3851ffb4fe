package defences

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
)

// inspection checks one file.
type inspection struct {
	rule     *defence.Rule
	file     string
	root     *yaml.Node
	problems Problems
}

// Check returns the mistakes in rules that were read from a folder.
func Check(files fs.FS, folder string, rules []defence.Rule, against Against) Problems {
	var problems Problems
	for i := range rules {
		in := &inspection{rule: &rules[i], file: folder + "/" + rules[i].ID + ".yaml"}
		var document yaml.Node
		if data, err := fs.ReadFile(files, in.file); err == nil && yaml.Unmarshal(data, &document) == nil &&
			len(document.Content) > 0 {
			in.root = document.Content[0]
		}
		in.check(against)
		problems = append(problems, in.problems...)
	}
	return problems
}

// problem records a mistake at the line of a field ("files.where"), or of an item in its list.
func (in *inspection) problem(field string, item int, format string, args ...any) {
	in.problems = append(in.problems, Problem{in.file, in.line(field, item), fmt.Sprintf(format, args...)})
}

// line returns the line of a field or, if the file does not have it, of the field that it would be in.
func (in *inspection) line(field string, item int) int {
	line, node := 1, in.root
	for _, name := range strings.Split(field, ".") {
		if node == nil || node.Kind != yaml.MappingNode {
			return line
		}
		i := 0 // names and values take turns
		for i < len(node.Content) && node.Content[i].Value != name {
			i += 2
		}
		if i == len(node.Content) {
			return line
		}
		line, node = node.Content[i].Line, node.Content[i+1]
	}
	if item >= 0 && item < len(node.Content) {
		return node.Content[item].Line
	}
	return line
}

func (in *inspection) check(against Against) {
	r := in.rule
	in.texts()
	in.choice("scope", r.Scope, defence.PerPaper, defence.PerYear, defence.PerCharge)
	in.choice("strength", r.Strength, defence.Ends, defence.Reduces, defence.Procedural)
	in.choice("certainty", r.Certainty, law.Sourced, law.Knowledge, law.ToConfirm)
	in.choice("at_most", r.AtMost, "", defence.MayApply)
	in.takes("takes", r.Takes)
	for _, day := range []struct{ field, value string }{{"from", r.From}, {"until", r.Until}} {
		if day.value != "" && !isDay(day.value) {
			in.problem(day.field, -1, "%q is no day (2017-07-01)", day.value)
		}
	}
	if r.From != "" && r.Until != "" && r.Until < r.From {
		in.problem("until", -1, "it ends on %s, before it begins on %s", r.Until, r.From)
	}
	if len(r.Raised) == 0 {
		in.problem("raised", -1, "say on which papers it is a question at all")
	}
	if len(r.Where) == 0 && r.AtMost == "" {
		in.problem("where", -1, "with nothing to prove it would apply to every paper: add a condition, or at_most: "+
			"may_apply")
	}
	for i := range r.Raised {
		in.condition("raised", i, &r.Raised[i])
	}
	for i := range r.Where {
		in.condition("where", i, &r.Where[i])
	}
	for i := range r.Proved {
		in.condition("proved", i, &r.Proved[i])
	}
	if len(r.Proved) > 0 && (r.AtMost == "" || len(r.Examples.Proved) == 0) {
		in.problem("proved", -1, "proved is for a rule with at_most: may_apply, and needs an example of its own")
	}
	in.byFiles()
	in.contradictions()
	in.sources(against)
	if len(in.problems) == 0 {
		in.examples()
	}
}

func (in *inspection) choice(field, value string, of ...string) {
	if !slices.Contains(of, value) {
		in.problem(field, -1, "%s is %q: write one of %s", field, value, strings.Join(of, ", "))
	}
}

func (in *inspection) texts() {
	r := in.rule
	for _, t := range []struct {
		field string
		words defence.Words
		need  bool
	}{{"title", r.Title, true}, {"explain", r.Explain, true}, {"ask", r.Ask, r.AtMost != ""}} {
		if t.need && (t.words.English == "" || t.words.Hindi == "") {
			in.problem(t.field, -1, "%s is needed in English and Hindi (en, hi)", t.field)
		}
		in.blanks(t.field, -1, t.words.English)
		in.blanks(t.field, -1, t.words.Hindi)
	}
	for _, t := range []struct{ field, text string }{{"provision", r.Provision}, {"issue", r.Issue}, {"plead", r.Plead},
		{"source", r.Source}} {
		if strings.TrimSpace(t.text) == "" {
			in.problem(t.field, -1, "%s is needed", t.field)
		}
	}
	in.blanks("plead", -1, r.Plead)
}

// blanks checks that each {name} in a text is a fact.
func (in *inspection) blanks(field string, item int, text string) {
	for {
		from := strings.IndexByte(text, '{')
		if from < 0 {
			return
		}
		to := strings.IndexByte(text[from:], '}')
		if to < 0 {
			in.problem(field, item, "a { has no }")
			return
		}
		if name := text[from+1 : from+to]; printed.KindOf(name) == 0 {
			in.problem(field, item, "{%s} is no fact", name)
		}
		text = text[from+to+1:]
	}
}

// byFiles checks the part of a rule for the case that the files answer its question.
func (in *inspection) byFiles() {
	by := in.rule.Files
	if by == nil {
		return
	}
	in.choice("files.at_most", by.AtMost, "", defence.MayApply)
	if len(by.Where) == 0 || len(in.rule.Examples.Files) == 0 {
		in.problem("files", -1, "files needs conditions of its own, and an example")
	}
	for i := range by.Where {
		in.condition("files.where", i, &by.Where[i])
		if !strings.HasPrefix(by.Where[i].Fact, "files.") {
			in.problem("files.where", i, "a condition here is about what the files say: files.…")
		}
	}
	for _, t := range []struct {
		field string
		words defence.Words
	}{{"files.ask", by.Ask}, {"files.explain", by.Explain}} {
		if (t.words.English == "") != (t.words.Hindi == "") {
			in.problem(t.field, -1, "%s is needed in both languages", t.field)
		}
		in.blanks(t.field, -1, t.words.English)
		in.blanks(t.field, -1, t.words.Hindi)
	}
	in.blanks("files.plead", -1, by.Plead)
	if by.Takes != "" {
		in.takes("files.takes", by.Takes)
	}
}

func (in *inspection) takes(field, takes string) {
	if name, ok := strings.CutPrefix(takes, "fact "); ok {
		if printed.KindOf(name) != printed.Money {
			in.problem(field, -1, "%s is no fact that is an amount of money", name)
		}
		return
	}
	in.choice(field, takes, printed.TakesAll, printed.TakesTax, defence.TakesCharge, printed.TakesInterest,
		defence.TakesOnCredit, printed.TakesPenalty, printed.TakesFee, printed.TakesOverTen, printed.TakesOverQuarter,
		printed.TakesOverHalf, defence.TakesNothing)
	if takes == defence.TakesCharge && in.rule.Scope != defence.PerCharge {
		in.problem(field, -1, "a rule of the %s has no charge to take", in.rule.Scope)
	}
}

func (in *inspection) condition(field string, item int, c *defence.Condition) {
	set := 0
	for _, s := range []string{c.Words, c.Unless, c.Without, c.Fact} {
		if s != "" {
			set++
		}
	}
	if set != 1 {
		in.problem(field, item, "a condition has one of words, without, unless and fact")
		return
	}
	if c.In != "" && (c.In != defence.InPaper || c.Fact != "" || in.rule.Scope == defence.PerPaper) {
		in.problem(field, item, "in: paper is for the words of a rule of a charge")
	}
	if c.Words == "" && c.Unless == "" && c.With+c.But != "" {
		in.problem(field, item, "with and but say more about words or unless")
	}
	all := slices.DeleteFunc([]string{c.Words, c.With, c.But, c.Unless, c.Without}, func(w string) bool { return w == "" })
	for _, w := range strings.Split(strings.Join(all, "|"), "|") {
		if strings.HasPrefix(w, "@") {
			in.problem(field, item, "the vocabulary has no %q", w)
		} else if c.Fact == "" && (w == "" || w != strings.ToLower(w)) {
			in.problem(field, item, "the words %q: write them in small letters, and no empty one", w)
		}
	}
	if field == "raised" && c.Unless != "" {
		in.problem(field, item, "unless is for what has to be proved: write it under where")
	}
	for _, w := range []defence.Words{c.Ask, c.Else} {
		if (w.English == "") != (w.Hindi == "") {
			in.problem(field, item, "ask and else are needed in both languages")
		}
		in.blanks(field, item, w.English)
		in.blanks(field, item, w.Hindi)
	}
	if c.Unless != "" && c.Ask.English == "" && in.rule.Ask.English == "" {
		in.problem(field, item, "say what to ask where these words stand there")
	}
	if c.Fact == "" {
		return
	}
	kind := printed.KindOf(c.Fact)
	if kind == 0 {
		in.problem(field, item, "there is no fact %q", c.Fact)
		return
	}
	bounds := []string{c.From, c.To, c.After, c.Before}
	if len(c.Is)+len(c.Not)+len(c.Has) == 0 && !c.Absent && strings.Join(bounds, "") == "" {
		in.problem(field, item, "%s: what of it? (is, not, has, from, to, after, before, absent)", c.Fact)
	}
	for _, b := range bounds {
		if b == "" {
			continue
		}
		if other := printed.KindOf(b); other != 0 && other != kind {
			in.problem(field, item, "%s cannot be compared with %s", c.Fact, b)
		} else if _, ok := printed.ParseValue(kind, b); other == 0 && !ok {
			in.problem(field, item, "%q is no value of %s", b, c.Fact)
		}
	}
	if c.Fact == "paper.kind" {
		for _, k := range slices.Concat(c.Is, c.Not) {
			if !slices.Contains(printed.PaperKinds(), k) {
				in.problem(field, item, "there is no kind of paper %q", k)
			}
		}
	}
	if kind != printed.Word && kind != printed.Truth && len(bounds) > 0 && c.From != "" && c.To != "" &&
		printed.KindOf(c.From) == 0 && printed.KindOf(c.To) == 0 && kind != printed.Money && kind != printed.Count &&
		c.From > c.To {
		in.problem(field, item, "from %s is later than to %s: nothing can be both", c.From, c.To)
	}
}

// contradictions finds conditions that cannot be true together: those of the rule, and with them those of what the
// files come to, and of what a paper proves.
func (in *inspection) contradictions() {
	allowed := map[string][]string{}
	in.contradict(allowed, "raised", in.rule.Raised)
	in.contradict(allowed, "where", in.rule.Where)
	in.contradict(maps.Clone(allowed), "proved", in.rule.Proved)
	if by := in.rule.Files; by != nil {
		in.contradict(allowed, "files.where", by.Where)
	}
}

// contradict finds those of some conditions that cannot be true with what the earlier ones allow, and narrows that.
func (in *inspection) contradict(allowed map[string][]string, field string, conditions []defence.Condition) {
	for i, c := range conditions {
		if c.Fact == "" {
			continue
		}
		if c.Absent && allowed[c.Fact] != nil {
			in.problem(field, i, "%s cannot be absent and %s", c.Fact, strings.Join(allowed[c.Fact], " or "))
		}
		if len(c.Is) == 0 {
			if have := allowed[c.Fact]; have != nil && !slices.ContainsFunc(have, func(v string) bool {
				return !slices.Contains(c.Not, v)
			}) {
				in.problem(field, i, "%s is %s above, and none of %s here", c.Fact, strings.Join(have, " or "),
					strings.Join(c.Not, ", "))
			}
			continue
		}
		have, seen := allowed[c.Fact]
		left := slices.DeleteFunc(slices.Clone(c.Is), func(v string) bool {
			return seen && !slices.Contains(have, v) || slices.Contains(c.Not, v)
		})
		if len(left) == 0 {
			in.problem(field, i, "%s is %s above, and %s here: nothing can be both", c.Fact,
				strings.Join(have, " or "), strings.Join(c.Is, " or "))
		}
		allowed[c.Fact] = left
	}
}

// sources checks that the version of the provision and the authorities exist.
func (in *inspection) sources(against Against) {
	if len(in.rule.Law) == 0 {
		in.problem("law", -1, "name the version of the provision: act, number, on")
	}
	for i, v := range in.rule.Law {
		if !isDay(v.On) {
			in.problem("law", i, "on %q is no day", v.On)
			continue
		}
		found := against.Digest == nil
		root, _, _ := strings.Cut(v.Number, "(")
		for _, e := range against.Digest {
			number, _, _ := strings.Cut(e.Number, "(")
			if e.Act == v.Act && (e.Number == v.Number || e.Number == root ||
				number == root && strings.HasPrefix(e.Number, v.Number+"(")) &&
				e.From <= v.On && (e.Until == "" || v.On <= e.Until) &&
				e.Status == "" {
				found = true
				break
			}
		}
		if !found {
			in.problem("law", i, "the digest has no %s %s in force on %s", v.Act, v.Number, v.On)
		}
	}
	if against.Tables == nil {
		return
	}
	for i, a := range in.rule.Authority {
		marks := against.Tables.Index.Check(a, cite.Context{})
		if len(marks) == 0 || marks[0].Verdict == cite.NotVerified || marks[0].Verdict == cite.Unknown {
			in.problem("authority", i, "%s is not in the tables of circulars and notifications", a)
		}
	}
}

// examples checks the rule against its own examples.
func (in *inspection) examples() {
	r := in.rule
	want := defence.Applies
	if r.AtMost != "" {
		want = defence.MayApply
	}
	if got, err := r.Try(r.Examples.Holds); err != nil {
		in.problem("examples", -1, "holds: %v", err)
	} else if got != want {
		in.problem("examples", -1, "holds: the verdict is %q, it should be %q", got, want)
	}
	if len(r.Examples.Proved) > 0 {
		if got, err := r.Try(r.Examples.Otherwise(r.Examples.Proved)); err != nil {
			in.problem("examples", -1, "proved: %v", err)
		} else if got != defence.Applies {
			in.problem("examples", -1, "proved: the verdict is %q, it should be %q", got, defence.Applies)
		}
	}
	if by := r.Files; by != nil {
		want = cmp.Or(by.AtMost, defence.Applies)
		if got, err := r.Try(r.Examples.Otherwise(r.Examples.Files)); err != nil {
			in.problem("examples", -1, "files: %v", err)
		} else if got != want {
			in.problem("examples", -1, "files: the verdict is %q, it should be %q", got, want)
		}
	}
	if got, err := r.Try(r.Examples.Otherwise(r.Examples.Not)); err != nil {
		in.problem("examples", -1, "not: %v", err)
	} else if got != defence.DoesNotApply && got != "" || len(r.Examples.Not) == 0 {
		in.problem("examples", -1, "not: the verdict is %q, it should be %q, or the rule not raised", got,
			defence.DoesNotApply)
	}
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
