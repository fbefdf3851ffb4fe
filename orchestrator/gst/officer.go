package gst

import (
	"strings"

	"munshi/orchestrator/gst/pattern"
)

var (
	designationLabel  = pattern.New(`^(?:designation|पदनाम)(?: ?/ ?designation)? ?[:.=-]* ?`)
	jurisdictionLabel = pattern.New(`^(?:jurisdiction|office address|क्षेत्राधिकार)(?: ?/ ?jurisdiction)? ?[:.=-]* ?`)
	officerLabel      = pattern.New(`^(?:name of (?:the )?(?:proper )?officer|name|नाम)(?: ?/ ?name)? ?[:.=-]+ ?`)
	rank              = pattern.New(`\bcommissioner\b|\bsuperintendent\b|\b(?:state|commercial|sales|gst|income|excise and taxation|excise & taxation) ?(?:tax(?:es)?)? officer\b|\bgsto\b|\binspector\b|\btaxation (?:officer|commissioner)\b|\b(?:intelligence|audit|adjudicating|revenue|sector) officer\b|\b(?:additional|joint|deputy|assistant) director\b|\bappellate authority\b|\bsto\b|\bcto\b`)
	notASignature     = pattern.New(`^(?:office|o/o|to\b|copy|the |before|c/o|encl|from|sub|ref)|commissionerate|kindly|please|hereby|should|shall|\bby the\b|\bto the\b|\bof the (?:assistant|deputy|joint|additional)|[,;]$`)
	personName        = pattern.New(`^\(?[A-Z][A-Za-z.'-]*(?: [A-Z][A-Za-z.'-]*){1,4}\)?$|^\([^()]{4,60}\)$`)
)

// readOfficer reads who signed: the labelled block of a form, else the lines
// under the last signature before the copies and annexures.
func (r *reading) readOfficer() {
	if !r.labelledOfficer() {
		r.signedOfficer()
	}
}

func (r *reading) labelledOfficer() bool {
	d := r.doc
	for i, l := range d.lines {
		value, ok := d.value(i, designationLabel)
		if !ok || !hasLetters(d.text[value.start:value.end]) {
			continue
		}
		r.setOfficer(&r.facts.Officer.Designation, "officer", value)
		for j := max(0, i-3); j < min(len(d.lines), i+4); j++ {
			if d.lines[j].page != l.page {
				continue
			}
			if name, ok := d.value(j, officerLabel); ok && r.facts.Officer.Name == nil && j < i {
				r.setOfficer(&r.facts.Officer.Name, "officer_name", name)
			}
			if place, ok := d.value(j, jurisdictionLabel); ok && r.facts.Officer.Jurisdiction == nil {
				r.setOfficer(&r.facts.Officer.Jurisdiction, "officer_jurisdiction", place)
			}
		}
		if next := i + 1; r.facts.Officer.Jurisdiction == nil && next < len(d.lines) && d.lines[next].page == l.page && d.lines[next].end-d.lines[next].start < 100 {
			r.setOfficer(&r.facts.Officer.Jurisdiction, "officer_jurisdiction", d.lines[next].span)
		}
		return true
	}
	return false
}

// value gives what stands beside the label that begins a cell of the line, or
// under it where nothing does.
func (d *document) value(i int, label *pattern.Pattern) (span, bool) {
	l := d.lines[i]
	for c, cell := range l.cells {
		m := label.FindString(d.low[cell.start:cell.end])
		if m == "" {
			continue
		}
		switch value := (span{cell.start + len(m), cell.end}); {
		case value.end > value.start:
			return value, true
		case c+1 < len(l.cells):
			return l.cells[c+1], true
		case i+1 < len(d.lines) && d.lines[i+1].page == l.page && len(l.cells) == 1:
			return d.lines[i+1].cells[0], true
		}
	}
	return span{}, false
}

func (r *reading) setOfficer(field **string, name string, s span) {
	text := strings.Trim(r.doc.text[s.start:s.end], " .,:;'\"*")
	if text == "" || strings.EqualFold(text, "signature") {
		return
	}
	*field = &text
	r.cite(name, s)
}

func (r *reading) signedOfficer() {
	d := r.doc
	best, bestScore, annexed := -1, 0, false
	for i, l := range d.lines {
		low := d.low[l.start:l.end]
		if strings.HasPrefix(low, "annex") && i > 5 {
			annexed = true
		}
		if len(low) > 90 || !rank.MatchString(low) || notASignature.MatchString(low) || i < 4 && l.page == 1 {
			continue
		}
		score := 1
		if i > 0 {
			above := d.text[d.lines[i-1].start:d.lines[i-1].end]
			switch {
			case strings.HasPrefix(above, "(") && strings.HasSuffix(above, ")"):
				score += 4
			case personName.MatchString(above), strings.HasPrefix(strings.ToLower(above), "sd/"):
				score += 3
			case strings.Contains(strings.ToLower(above), "signature"), strings.Contains(strings.ToLower(above), "proper officer"):
				score += 2
			}
		}
		if annexed {
			score -= 3
		}
		if score > bestScore || score == bestScore && score > 1 && !annexed {
			best, bestScore = i, score
		}
	}
	if best < 0 || bestScore < 2 {
		return
	}
	l := d.lines[best]
	r.setOfficer(&r.facts.Officer.Designation, "officer", d.latinPart(l.span))
	if best > 0 {
		above := d.lines[best-1]
		if text := d.text[above.start:above.end]; personName.MatchString(text) || strings.HasPrefix(text, "(") {
			name := d.latinPart(span{above.start, above.end})
			for name.start < name.end && d.text[name.start] == '(' {
				name.start++
			}
			for name.end > name.start && d.text[name.end-1] == ')' {
				name.end--
			}
			r.setOfficer(&r.facts.Officer.Name, "officer_name", name)
		}
	}
	if best+1 < len(d.lines) {
		if below := d.lines[best+1]; below.page == l.page && below.end-below.start < 100 && !addressee.MatchString(d.low[below.start:below.end]) && !strings.HasPrefix(d.low[below.start:], "copy") {
			r.setOfficer(&r.facts.Officer.Jurisdiction, "officer_jurisdiction", d.latinPart(below.span))
		}
	}
}

// latinPart gives the English half of "सहायक आयुक्त / Assistant Commissioner".
func (d *document) latinPart(s span) span {
	text := d.text[s.start:s.end]
	if slash := strings.LastIndex(text, " / "); slash > 0 && !isLatin(text[:slash]) && isLatin(text[slash+3:]) {
		return span{s.start + slash + 3, s.end}
	}
	return s
}

func hasLetters(s string) bool { return strings.IndexFunc(s, isNameLetter) >= 0 }
