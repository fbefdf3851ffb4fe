package evals

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst/cite"
)

// Expectation is one expectation for an answer.
type Expectation struct {
	Grader string // its name in the file
	Hard   bool   // must hold for prompts to be published
	Rubric *Rubric
	judge  func(Answer) outcome // nil for a rubric, which a model judges
}

// Rubric is the instruction by which a model judges an answer, and the lowest passing score (1 to 5).
type Rubric struct {
	Ask  string `yaml:"ask"`
	Pass int    `yaml:"pass"`
}

// outcome is a grader's result; says explains what is missing or wrong, or why nothing could be judged.
type outcome struct {
	passed, skipped bool
	says            string
}

func passIf(ok bool, says string, args ...any) outcome {
	if ok {
		return outcome{passed: true}
	}
	return outcome{says: fmt.Sprintf(says, args...)}
}

// NoJudge is the reason for a skipped rubric if no model is configured.
const NoJudge = "No model is configured, so that nobody could judge this."

// Grade checks an answer against the case's expectations, in the order of the file. Expectations that need a model are
// skipped with the reason NoJudge; a caller with a model replaces these verdicts by Judged.
func (c Case) Grade(a Answer) []Verdict {
	verdicts := make([]Verdict, len(c.Expect))
	for i, e := range c.Expect {
		v := Verdict{Grader: e.Grader, Hard: e.Hard}
		if e.Rubric != nil {
			v.Model, v.Skipped, v.Says, v.Expects = true, true, NoJudge, e.Rubric.Ask
		} else {
			o := e.judge(a)
			v.Passed, v.Skipped, v.Says = o.passed, o.skipped, o.says
		}
		verdicts[i] = v
	}
	return verdicts
}

// Judged returns the verdict of a model that gave a score and a reason.
func (e Expectation) Judged(score int, reason string) Verdict {
	return Verdict{
		Grader:  e.Grader,
		Hard:    e.Hard,
		Model:   true,
		Score:   score,
		Passed:  score >= e.Rubric.Pass,
		Says:    reason,
		Expects: e.Rubric.Ask,
	}
}

// grader parses an expectation from the file, and returns the function that checks answers against it.
type grader func(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool)

func graders() map[string]grader {
	return map[string]grader{
		"contains":             texts(one, contains),
		"contains_all":         texts(several, contains),
		"contains_any":         texts(several, containsAny),
		"contains_none":        texts(several, containsNone),
		"must_not_say":         texts(several, containsNone),
		"headings":             texts(several, hasHeadings),
		"first_page":           texts(several, firstPage),
		"blanks":               blanks,
		"matches":              matches,
		"schema":               schema,
		"cites":                cites,
		"authorities_verified": verified,
		"facts":                facts,
		"agrees":               agrees,
		"limbs":                limbs,
		"required_documents":   requiredDocuments,
		"language":             language,
		"words":                words,
		"latency":              latency,
		"cost_paise":           cost,
		"defences":             defences,
	}
}

// Graders returns the names of all graders.
func Graders() []string {
	names := slices.Collect(maps.Keys(graders()))
	return slices.Sorted(slices.Values(append(names, "rubric")))
}

// expectation parses one item of a case's list.
func (r *reader) expectation(n *yaml.Node) (Expectation, bool) {
	before := len(r.problems)
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "expect", "each has to be a grader with what it expects, as in `contains: thirty days`")
		return Expectation{}, false
	}
	var e Expectation
	known := graders()
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		field := "expect." + name.Value
		switch read := known[name.Value]; {
		case name.Value == "hard":
			if err := value.Decode(&e.Hard); err != nil {
				r.wrong(value, field, "write true or false")
			}
		case read == nil && name.Value != "rubric":
			r.wrong(name, field, "there is no such grader; there are %s, and hard: true beside one",
				strings.Join(Graders(), ", "))
		case e.Grader != "":
			r.wrong(name, field, "%s stands beside it: give each grader an item of its own", e.Grader)
		case name.Value == "rubric":
			e.Grader, e.Rubric = name.Value, r.rubric(value, field)
		default:
			e.Grader = name.Value
			e.judge, _ = read(r, value, field)
		}
	}
	if e.Grader == "" && len(r.problems) == before {
		r.wrong(n, "expect", "this names no grader")
	}
	return e, len(r.problems) == before
}

func (r *reader) rubric(n *yaml.Node, field string) *Rubric {
	rubric := Rubric{Pass: 4}
	if _, ok := r.fields(n, field, "ask", "pass"); !ok {
		return nil
	}
	if err := n.Decode(&rubric); err != nil {
		r.wrongYAML(n, field, err)
		return nil
	}
	if rubric.Ask == "" || rubric.Pass < 1 || rubric.Pass > 5 {
		r.wrong(n, field, "give what to ask of the answer, and the score from 1 to 5 with which it passes")
	}
	return &rubric
}

// one parses a single text, several a list of texts.
func one(r *reader, n *yaml.Node, field string) ([]string, bool) {
	if n.Kind != yaml.ScalarNode || strings.TrimSpace(n.Value) == "" {
		r.wrong(n, field, "this has to be a text")
		return nil, false
	}
	return []string{n.Value}, true
}

func several(r *reader, n *yaml.Node, field string) ([]string, bool) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		r.wrong(n, field, "this has to be a list of texts, and not an empty one")
		return nil, false
	}
	var list []string
	for _, item := range n.Content {
		text, ok := one(r, item, field)
		if !ok {
			return nil, false
		}
		list = append(list, text...)
	}
	return list, true
}

// texts returns a grader that compares texts, ignoring differences that readers do not notice.
func texts(read func(*reader, *yaml.Node, string) ([]string, bool), judge func(Answer, []string) outcome) grader {
	return func(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
		wanted, ok := read(r, n, field)
		return func(a Answer) outcome { return judge(a, wanted) }, ok
	}
}

var likeASCII = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "‑", "-", "–", "-", "—", "-", "*", "", "`",
	"")

// plain normalises a text for comparison: lower case, collapsed white space, no emphasis marks, straight quotation
// marks and plain dashes.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(likeASCII.Replace(text))), " ")
}

func missing(text string, wanted []string) []string {
	text = plain(text)
	return slices.DeleteFunc(slices.Clone(wanted), func(w string) bool { return strings.Contains(text, plain(w)) })
}

func quoted(list []string) string {
	return `"` + strings.Join(list, `", "`) + `"`
}

func contains(a Answer, wanted []string) outcome {
	left := missing(a.Text, wanted)
	return passIf(len(left) == 0, "It does not contain %s.", quoted(left))
}

func containsAny(a Answer, wanted []string) outcome {
	return passIf(len(missing(a.Text, wanted)) < len(wanted), "It contains none of %s.", quoted(wanted))
}

func containsNone(a Answer, unwanted []string) outcome {
	left := missing(a.Text, unwanted)
	said := slices.DeleteFunc(slices.Clone(unwanted), func(w string) bool { return slices.Contains(left, w) })
	return passIf(len(said) == 0, "It says %s.", quoted(said))
}

var (
	headingLine = regexp.MustCompile(`(?m)^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$`)
	boldLine    = regexp.MustCompile(`(?m)^\s{0,3}(?:\d+[.)]\s+)?\*\*([^*\n]+)\*\*:?\s*$`)
)

func hasHeadings(a Answer, wanted []string) outcome {
	var headings []string
	for _, line := range []*regexp.Regexp{headingLine, boldLine} {
		for _, m := range line.FindAllStringSubmatch(a.Text, -1) {
			headings = append(headings, plain(m[1]))
		}
	}
	left := slices.DeleteFunc(slices.Clone(wanted), func(w string) bool {
		return slices.ContainsFunc(headings, func(h string) bool { return strings.Contains(h, plain(w)) })
	})
	return passIf(len(left) == 0, "It has no heading %s.", quoted(left))
}

func matches(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	text, ok := one(r, n, field)
	if !ok {
		return nil, false
	}
	pattern, err := regexp.Compile(text[0])
	if err != nil {
		r.wrong(n, field, "this is no regular expression: %v", err)
		return nil, false
	}
	return func(a Answer) outcome { return passIf(pattern.MatchString(a.Text), "It does not match %s.", text[0]) }, true
}

var fenced = regexp.MustCompile("(?s)^\\s*```(?:json)?\\s*\n(.*?)\n\\s*```\\s*$")

func schema(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	var rules any
	err := n.Decode(&rules)
	var raw []byte
	if err == nil {
		raw, err = json.Marshal(rules)
	}
	var compiled *jsonschema.Schema
	if err == nil {
		if rules, err = jsonschema.UnmarshalJSON(bytes.NewReader(raw)); err == nil {
			compiler := jsonschema.NewCompiler()
			if err = compiler.AddResource("case.json", rules); err == nil {
				compiled, err = compiler.Compile("case.json")
			}
		}
	}
	if err != nil {
		r.wrong(n, field, "this is no JSON Schema: %v", err)
		return nil, false
	}
	return func(a Answer) outcome {
		text := a.Text
		if m := fenced.FindStringSubmatch(text); m != nil {
			text = m[1]
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return outcome{says: "It is not JSON."}
		}
		err = compiled.Validate(value)
		return passIf(err == nil, "It does not fit the schema: %v", err)
	}, true
}

// provision is a provision that an answer should cite.
type provision struct{ written, act, number string }

var shortCitation = regexp.MustCompile(`^(?:(.+?)\s+)?(ss?|sec|section|r|rule|art|article)\.?\s*(\d+[A-Z]{0,3}(?:\([0-9A-Za-z]+\))*)$`)

func cites(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	list, ok := several(r, n, field)
	if !ok {
		return nil, false
	}
	var wanted []provision
	for i, written := range list {
		p, found := r.provision(written)
		if !found {
			r.wrong(n.Content[i], field, "%q is no provision that could be looked up; write it as CGST s.16(4), CGST "+
				"r.36 or IGST s.12(2)", written)
			ok = false
		}
		wanted = append(wanted, p)
	}
	law := r.law
	return func(a Answer) outcome {
		about := cite.Context{}
		if a.Facts != nil {
			about.Notice = &cite.Notice{} // if no Act is named, any GST Act matches
		}
		marks := law.Check(a.Text, about)
		var left []string
		for _, w := range wanted {
			if !slices.ContainsFunc(marks, func(m cite.Mark) bool {
				return m.Kind == cite.Provision && m.Act == w.act && covers(m.Provision, w.number)
			}) {
				left = append(left, w.written)
			}
		}
		return passIf(len(left) == 0, "It does not cite %s.", strings.Join(left, ", "))
	}, ok
}

// provision parses a provision such as "CGST s.16(4)" with the parser that is also used for answers, so that both are
// understood alike.
func (r *reader) provision(written string) (provision, bool) {
	text := written
	if m := shortCitation.FindStringSubmatch(strings.TrimSpace(written)); m != nil {
		act, unit := m[1], map[byte]string{'s': "section", 'r': "rule", 'a': "article"}[m[2][0]]
		switch {
		case unit == "rule" && act != "" && !strings.Contains(strings.ToLower(act), "rule"):
			act += " Rules"
		case unit == "section" && strings.HasSuffix(act, "GST"):
			act += " Act"
		}
		if text = unit + " " + m[3]; act != "" {
			text += " of the " + act
		}
	}
	for _, m := range r.law.Check(text, cite.Context{}) {
		if m.Kind == cite.Provision && m.Act != "" && m.Verdict != cite.Unknown {
			return provision{written, m.Act, m.Provision}, true
		}
	}
	return provision{}, false
}

// covers reports whether the cited provision is the expected one, or a part of it.
func covers(cited, wanted string) bool {
	rest, ok := strings.CutPrefix(cited, wanted)
	return ok && (rest == "" || rest[0] == '(')
}

// flag parses true, the only value that some graders accept.
func (r *reader) flag(n *yaml.Node, field string) bool {
	var on bool
	if err := n.Decode(&on); err != nil || !on {
		r.wrong(n, field, "write true, or leave it out")
		return false
	}
	return true
}

// verified fails an answer that cites a provision that its Act does not have or that was not in force, or a circular
// or judgment that was not supplied. A citation that the tables do not cover (another Act, a sub-section) does not
// fail.
func verified(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	law := r.law
	return func(a Answer) outcome {
		findings := a.Findings
		if findings == nil { // the turn has no check step
			for _, m := range law.Check(a.Text, cite.Context{}) {
				findings = append(findings,
					Finding{Code: string(m.Kind), Verdict: string(m.Verdict), Quote: a.Text[m.Start:m.End]})
			}
		}
		var bad []string
		for _, f := range findings {
			switch cite.Verdict(f.Verdict) {
			case cite.Unknown, cite.NotInForce, cite.NotVerified:
				bad = append(bad, f.Quote)
			}
		}
		return passIf(len(bad) == 0, "Nobody can verify %s.", quoted(bad))
	}, r.flag(n, field)
}

// firstPage fails a drafted paper in which a text stands only after its first part: what decides it belongs before the
// facts.
func firstPage(a Answer, wanted []string) outcome {
	at := lettered.FindStringIndex(a.Text)
	if at == nil {
		return outcome{says: "The paper has no part with a letter, so it has no first page."}
	}
	left := missing(a.Text[:at[0]], wanted)
	return passIf(len(left) == 0, "The first page does not say %s.", quoted(left))
}

// lettered matches the heading of the first part of a paper after what decides it.
var lettered = regexp.MustCompile(`(?m)^#+ A\. `)

// blanks fails a drafted paper with more open places than the given number.
func blanks(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	var most int
	if err := n.Decode(&most); err != nil || most < 0 {
		r.wrong(n, field, "write the highest number of places that may be open")
		return nil, false
	}
	return func(a Answer) outcome {
		open := strings.Count(a.Text, "[…")
		return passIf(open <= most, "It has %d blanks, and should have at most %d.", open, most)
	}, true
}

// agrees fails an answer whose dates or amounts differ from the facts or, if there are none, from the document.
func agrees(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	return func(a Answer) outcome {
		var bad []string
		for _, f := range a.Findings {
			if f.Verdict == string(cite.Contradicts) || f.Verdict == "not_in_document" {
				bad = append(bad, f.Quote)
			}
		}
		return passIf(len(bad) == 0, "The document says otherwise than %s.", quoted(bad))
	}, r.flag(n, field)
}

func limbs(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		r.wrong(n, field, "this has to be a list of points, each a text or a list of alternatives")
		return nil, false
	}
	var all [][]string
	for _, item := range n.Content {
		read := one
		if item.Kind == yaml.SequenceNode {
			read = several
		}
		limb, ok := read(r, item, field)
		if !ok {
			return nil, false
		}
		all = append(all, limb)
	}
	return func(a Answer) outcome {
		var left []string
		for _, limb := range all {
			if len(missing(a.Text, limb)) == len(limb) {
				left = append(left, limb[0])
			}
		}
		return passIf(len(left) == 0, "It does not take up %s (%d of %d points).", quoted(left), len(left), len(all))
	}, true
}

func requiredDocuments(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	wanted := struct {
		Names  []string `yaml:"names"`
		Recall float64  `yaml:"recall"`
	}{Recall: 1}
	if _, ok := r.fields(n, field, "names", "recall"); !ok {
		return nil, false
	}
	if err := n.Decode(&wanted); err != nil {
		r.wrongYAML(n, field, err)
		return nil, false
	}
	if len(wanted.Names) == 0 || wanted.Recall <= 0 || wanted.Recall > 1 {
		r.wrong(n, field, "give the names of the documents, and which share of them has to be asked for, as 0.8")
		return nil, false
	}
	return func(a Answer) outcome {
		left := slices.DeleteFunc(slices.Clone(wanted.Names), func(w string) bool {
			return slices.ContainsFunc(a.Required, func(asked string) bool {
				return strings.Contains(plain(asked), plain(w)) || strings.Contains(plain(w), plain(asked))
			})
		})
		share := 1 - float64(len(left))/float64(len(wanted.Names))
		return passIf(share >= wanted.Recall, "It asks for %d of %d documents and not for %s.",
			len(wanted.Names)-len(left), len(wanted.Names), quoted(left))
	}, true
}

// scripts says which share of an answer's letters must be in the script of its language. English words are common in
// Hindi answers about tax; Hindi words are rare in English ones.
var scripts = map[string]struct {
	script *unicode.RangeTable
	share  float64
}{"hi": {unicode.Devanagari, 0.6}, "en": {unicode.Latin, 0.9}}

func language(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	wanted, known := scripts[n.Value]
	if !known {
		r.wrong(n, field, "write hi or en")
		return nil, false
	}
	return func(a Answer) outcome {
		letters, own := 0, 0
		for _, c := range a.Text {
			if unicode.IsLetter(c) || unicode.IsMark(c) {
				letters++
				if unicode.Is(wanted.script, c) {
					own++
				}
			}
		}
		share := float64(own) / float64(max(letters, 1))
		return passIf(share >= wanted.share, "%.0f%% of its letters are of the language's script; %.0f%% should be.",
			share*100, wanted.share*100)
	}, true
}

func words(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	var limit struct {
		Min int `yaml:"min"`
		Max int `yaml:"max"`
	}
	if _, ok := r.fields(n, field, "min", "max"); !ok {
		return nil, false
	}
	if err := n.Decode(&limit); err != nil || limit.Min < 0 || limit.Max < 0 || limit.Min+limit.Max == 0 ||
		limit.Max > 0 && limit.Max < limit.Min {
		r.wrong(n, field, "give the least number of words, the largest, or both")
		return nil, false
	}
	return func(a Answer) outcome {
		count := len(strings.Fields(a.Text))
		switch {
		case count < limit.Min:
			return outcome{says: fmt.Sprintf("It has %d words, and should have at least %d.", count, limit.Min)}
		case limit.Max > 0 && count > limit.Max:
			return outcome{says: fmt.Sprintf("It has %d words, and should have at most %d.", count, limit.Max)}
		}
		return outcome{passed: true}
	}, true
}

func latency(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	most, err := time.ParseDuration(n.Value)
	if err != nil || most <= 0 {
		r.wrong(n, field, "write the longest time, as 30s")
		return nil, false
	}
	return func(a Answer) outcome {
		return passIf(time.Duration(a.Milliseconds)*time.Millisecond <= most, "It took %s, and should take at most %s.",
			duration(a.Milliseconds), most)
	}, true
}

func cost(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	var most int64
	if err := n.Decode(&most); err != nil || most < 0 {
		r.wrong(n, field, "write the highest cost, in paise")
		return nil, false
	}
	return func(a Answer) outcome {
		if a.CostPaise == nil {
			return outcome{skipped: true, says: "What the answer cost is not known: the configuration names no price."}
		}
		return passIf(*a.CostPaise <= most, "It cost %d paise, and should cost at most %d.", *a.CostPaise, most)
	}, true
}
