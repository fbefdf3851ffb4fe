package gst

import (
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// kind is the kind of an amount: tax, interest and so on.
type kind int

const (
	noKind kind = iota
	tax
	interest
	penalty
	fee
	other
	total
	value // of supplies, or a figure of a return: not a demand
	mostKinds
)

var kinds = map[string]kind{
	"tax": tax, "duty": tax, "principal": tax, "itc": tax, "कर": tax, "करे": tax, "टैक्स": tax,
	"interest": interest, "ब्याज": interest, "व्याज": interest,
	"penalty": penalty, "penal": penalty, "penalties": penalty, "अर्थदण्ड": penalty, "अर्थदंड": penalty,
	"शास्ति": penalty, "जुर्माना": penalty,
	"अथदण्ड": penalty, "अथदंड": penalty, // a file may lose the mark of the र् above the line
	"fee": fee, "fees": fee, "शुल्क": fee, "other": other, "others": other, "अन्य": other,
	"total": total, "aggregate": total, "योग": total, "कुल": total, "महायोग": total, "turnover": value, "value": value,
	"taxable": value,
}

// kindOf returns the kind that a word of a heading names, in lower case, even if recognition misread a letter of it.
func kindOf(word string) kind {
	word = strings.Trim(word, ".,:;()[]*/'\"-_!|।‘’“”")
	if k, ok := kinds[word]; ok {
		return k
	}
	for _, name := range [...]string{"interest", "penalty"} { // no other word is one letter away from these
		if table.Misread(word, name) || len(word) > 4 && strings.HasSuffix(word, name[2:]) ||
			name == "penalty" && strings.HasPrefix(word, "penalt") {
			return kinds[name]
		}
	}
	return noKind
}

// label is the meaning of the words beside or above amounts.
type label struct {
	head     string
	kind     kind
	workings bool // it names figures of a return or a ledger, or what was paid, from which a demand is computed
}

// workings matches labels of columns and rows from which a demand is only computed, such as "as per GSTR-1", and of
// amounts that are not a demand.
var workings = lazyregexp.New(`\bas (?:per|in|declared|reported|shown)\b|\bgstr|\b[23] ?[ab]\b|\bdeclared\b|\bavail(?:ed|able)\b|\bclaimed\b|\balready\b|\bdeposited\b|\bdischarged\b|\breported\b|` +
	`(?:^|[^n] )\bpaid\b|\bbooks?\b|\bbalance sheet\b|\bledger\b|\brefund|\binvoices?\b|\bno\. of\b|\bquantity\b|\brate\b|\bcash\b|\b(?:in|under) dispute\b|\bdisputed\b|\breceipts?\b|\bexpenses?\b`)

// readLabel reads the words of a row or a column, in lower case.
func readLabel(low string) label {
	l := label{}
	words := strings.FieldsFunc(low, func(r rune) bool {
		return r == ' ' || r == '(' || r == ')' || r == '[' || r == ']'
	})
	seen := [mostKinds]bool{}
	for i, w := range words {
		if h := taxHead(w); h != "" && (l.head == "" || w == "igst" || w == "cgst" || w == "sgst" || w == "utgst") {
			if !strings.HasPrefix(w, "tax/") && (len(words) <= 8 || strings.HasSuffix(w, "gst") || w == "cess") {
				if h != "UTGST" || l.head != "SGST" { // "SGST / UTGST", as the forms have it
					l.head = h
				}
			}
		}
		if w == "union" || w == "ut" {
			if l.head == "" {
				l.head = "UTGST"
			}
		}
		for part := range strings.SplitSeq(w, "/") {
			seen[kindOf(part)] = true
		}
		if strings.Trim(w, ".,:") == "late" && i+1 < len(words) && kindOf(words[i+1]) == fee {
			seen[tax] = false
		}
	}
	if strings.Contains(low, "tax/cess") || strings.Contains(low, "tax / cess") {
		l.head = ""
	}
	for _, k := range [...]kind{value, interest, penalty, fee, tax, other, total} {
		if seen[k] {
			l.kind = k
			break
		}
	}
	l.workings = workings.MatchString(low)
	if l.kind == value && (seen[interest] || seen[penalty]) {
		l.kind = interest
	}
	return l
}

// ofTax reports whether a label names tax, in words or by naming no kind.
func (l label) ofTax() bool { return l.kind == tax || l.kind == noKind }

// strong reports whether the label names a kind other than tax. The heads of tax have "tax" in their names.
func (l label) strong() bool {
	return l.kind == interest || l.kind == penalty || l.kind == fee || l.kind == other
}
