package gst

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/lazyregexp"
)

// citation is one provision cited in the text, "16(2)(c)".
type citation struct {
	span
	number string
	rule   bool
	other  bool // of an Act other than CGST or SGST
}

// readProvisions lists the sections of the CGST and State Acts and the CGST Rules that the notice cites, in order, as
// precisely as printed. A bare section is left out if one of its sub-sections is cited too.
func (r *reading) readProvisions() {
	r.cited = r.doc.citations(r.law.Index)
	type key struct {
		number string
		rule   bool
	}
	parents, seen := map[key]bool{}, map[key]bool{}
	for _, c := range r.cited {
		if root, _, deeper := strings.Cut(c.number, "("); deeper && !c.other {
			parents[key{root, c.rule}] = true
		}
	}
	for _, c := range r.cited {
		k := key{c.number, c.rule}
		if c.other || seen[k] || parents[k] {
			continue
		}
		seen[k] = true
		list, name := &r.facts.Sections, "sections"
		if c.rule {
			list, name = &r.facts.Rules, "rules"
		}
		*list = append(*list, c.number)
		r.cite(name, c.span)
		r.cite(name+"."+c.number, c.span)
	}
}

// citations returns every provision in the index that the text cites, including those of other Acts.
func (d *document) citations(index *cite.Index) []citation {
	var found []citation
	for _, c := range index.Find(d.mended, cite.Layout{Below: d.cellBelow, Breaks: d.sentenceBegins}) {
		act := index.Act("cgst")
		if c.Rule {
			act = index.Act("cgst_rules")
		}
		other := c.Other != "" || c.Act != nil && c.Act != act || c.Article
		if !other && !act.Has(c.Number) {
			continue
		}
		number := asPrinted(d.text[c.At:c.End], c.Number)
		found = append(found, citation{span: span{c.At, c.End}, number: number, rule: c.Rule, other: other})
	}
	return append(found, d.labelledSections(index.Act("cgst"), found)...)
}

var (
	sectionLabel = lazyregexp.New(`^(?:\(?[0-9a-z]{1,3}[.)]? ?)?(?:(?:sections?|धारा|धाराएँ|धाराएं)(?: ?\(s\))?(?:[ /][^0-9:]{0,60})?|provisions? (?:of (?:the )?act )?under which [a-z ]{3,40})[ :.-]*$`)
	otherAct     = lazyregexp.New(`income|custom|penal|nyaya|compan|excise|evidence|limitation|contract|partnership`)
	sectionValue = lazyregexp.New(`\b[0-9]{1,3}[a-z]{0,2}(?:\([0-9a-z]{1,4}\))*`)
)

// labelledSections returns the sections in cells beside or below a form's label, "Section(s) of the Act under which",
// that do not have the word "section": "73(9)".
func (d *document) labelledSections(act *cite.Act, known []citation) (found []citation) {
	const longest, mostLines = 80, 300
	for i, l := range d.lines[:min(len(d.lines), mostLines)] {
		for c, value := range l.cells {
			if value.end-value.start > longest || !isDigit(d.text[value.start]) || len(d.datesIn(value)) > 0 {
				continue
			}
			if (c == 0 || !d.namesSection(l.cells[c-1], sectionLabel)) &&
				(!bareSections.MatchString(d.low[value.start:value.end]) ||
					!d.namesSection(d.headOf(i, c), sectionColumn)) {
				continue
			}
			for _, m := range sectionValue.FindAllStringIndex(d.low[value.start:value.end], 8) {
				at := span{value.start + m[0], value.start + m[1]}
				number := d.text[at.start:at.end]
				if act.Has(number) && !slices.ContainsFunc(known, func(k citation) bool {
					return k.start < at.end && at.start < k.end
				}) {
					found = append(found, citation{span: at, number: number})
				}
			}
		}
	}
	return found
}

func (d *document) namesSection(cell span, label *lazyregexp.Regexp) bool {
	low := d.low[cell.start:cell.end]
	return label.MatchString(low) && !otherAct.MatchString(low)
}

// headOf returns the heading of a column of sections: the first cell above with other content.
func (d *document) headOf(i, c int) span {
	const far = 25 // lines
	column := d.lines[i].at[c]
	for j := i - 1; j >= max(0, i-far) && d.lines[j].page == d.lines[i].page; j-- {
		for k, at := range d.lines[j].at {
			cell := d.lines[j].cells[k]
			if at.start >= column.end || column.start >= at.end ||
				bareSections.MatchString(d.low[cell.start:cell.end]) {
				continue
			}
			return cell
		}
	}
	return span{}
}

var (
	bareSections  = lazyregexp.New(`^[0-9]{1,3}[a-z]{0,2}\([0-9a-z]{1,4}\)[0-9a-z(), &/-]*$`)
	sectionColumn = lazyregexp.New(`^.{0,24}\b(?:sections?|clauses?|provisions?|u/s|in law)\b.{0,50}$|^धारा`)
)

// asPrinted returns a provision with the capital letters that the text has, which matter in rule 89(4): its definitions
// are lettered (A) to (F).
func asPrinted(text, number string) string {
	text = strings.ReplaceAll(text, " ", "")
	if at := strings.Index(lowerASCII(text), lowerASCII(number)); at >= 0 && strings.HasPrefix(number, "89(4)") {
		return text[at : at+len(number)]
	}
	return number
}

func (d *document) sentenceBegins(at int) bool {
	i, found := slices.BinarySearch(d.sentences, at)
	return found && i > 0
}

// cellBelow returns the offset at which a provision is printed if the word that announces it is the last in its table
// cell and another column follows. That is the start of the next line.
func (d *document) cellBelow(wordAt, at int) int {
	i := d.lineAt(wordAt)
	l := d.lines[i]
	if len(l.cells) < 2 || i+1 >= len(d.lines) || d.lines[i+1].page != l.page {
		return at
	}
	for c, cell := range l.cells[:len(l.cells)-1] {
		if cell.end < at && l.cells[c+1].start == at && wordAt >= cell.start &&
			!(isDigit(d.text[at]) && sectionLabel.MatchString(d.low[cell.start:cell.end])) {
			return d.lines[i+1].start
		}
	}
	return at
}

func skipAny(s string, at int, set string) int {
	for at < len(s) && strings.IndexByte(set, s[at]) >= 0 {
		at++
	}
	return at
}
