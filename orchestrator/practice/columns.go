package practice

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// importable returns the values that a column of a register can hold, in the order in which they are shown.
func importable() []string {
	return []string{"client", "gstin", "pan", "form", "reference", "years", "issued", "received", "due", "hearing", "igst",
		"cgst", "sgst", "cess", "interest", "penalty", "demand", "officer", "stage", "assignee", "state", "answered", "arn",
		"about"}
}

// headings returns, for each value, the headings that firms use for it, the most certain first. A heading that equals one
// of them, or one of Munshi's own register, scores higher than a heading that only contains one.
func headings() map[string][]string {
	return map[string][]string{
		"client": {"client", "client name", "name of client", "name of the client", "assessee", "name of assessee", "taxpayer",
			"taxpayer name", "name of taxpayer", "trade name", "legal name", "party", "party name", "company", "company name",
			"firm name", "business name", "name", "मुवक्किल", "मुवक्किल का नाम", "ग्राहक", "ग्राहक का नाम", "क्लाइंट", "क्लाइंट का नाम", "करदाता",
			"करदाता का नाम", "पार्टी", "फर्म का नाम", "नाम"},
		"gstin": {"gstin", "gstin no", "gst no", "gst number", "gstin uin", "gst", "registration no", "जीएसटीआईएन", "जीएसटीएन",
			"जीएसटी नंबर", "जीएसटी नं", "पंजीकरण संख्या"},
		"pan": {"pan", "pan no", "pan number", "पैन", "पैन नंबर"},
		"form": {"form", "form no", "notice type", "type of notice", "type", "notice", "nature of notice", "form type",
			"notice form", "document type", "notice order type", "फॉर्म", "फ़ॉर्म", "नोटिस का प्रकार", "प्रकार", "नोटिस"},
		"reference": {"reference no", "reference number", "ref no", "ref", "reference", "notice no", "notice number", "din", "din no",
			"rfn", "din rfn", "scn no", "order no", "notice order no", "notice ref no", "notice reference no", "case id", "case no",
			"notice demand order id", "letter no", "संदर्भ संख्या", "संदर्भ नंबर", "संदर्भ", "नोटिस संख्या", "नोटिस नंबर",
			"आदेश संख्या", "डिन"},
		"years": {"financial year", "fy", "f y", "year", "period", "tax period", "financial years", "period involved", "years",
			"वित्तीय वर्ष", "वर्ष", "अवधि", "कर अवधि"},
		"issued": {"date of issue", "issue date", "date of notice", "notice date", "issued on", "date of issuance", "dated", "notice dt",
			"scn date", "order date", "date", "dt of notice", "जारी होने की तारीख", "जारी तिथि", "जारी करने की तारीख", "नोटिस की तारीख", "नोटिस दिनांक",
			"दिनांक", "तारीख"},
		"received": {"date of receipt", "received on", "receipt date", "date received", "date of service", "served on", "received date",
			"प्राप्ति की तारीख", "प्राप्ति तिथि", "मिलने की तारीख"},
		"due": {"reply due", "due date", "due date of reply", "reply due date", "last date", "due on", "reply by", "last date of reply",
			"last date to reply", "due date for reply", "due", "deadline", "compliance date", "जवाब की तारीख", "जवाब की अंतिम तारीख",
			"अंतिम तिथि", "अंतिम तारीख", "नियत तिथि", "देय तिथि", "जवाब की अंतिम तिथि"},
		"hearing": {"hearing", "hearing date", "date of hearing", "ph date", "personal hearing", "date of ph", "next hearing",
			"next date", "ph", "next date of hearing", "personal hearing date", "सुनवाई", "सुनवाई की तारीख", "सुनवाई की तिथि"},
		"igst":     {"igst", "igst demand", "igst amount", "integrated tax", "आईजीएसटी", "एकीकृत कर"},
		"cgst":     {"cgst", "cgst demand", "cgst amount", "central tax", "सीजीएसटी", "केंद्रीय कर"},
		"sgst":     {"sgst", "sgst utgst", "utgst", "sgst demand", "sgst amount", "state tax", "एसजीएसटी", "राज्य कर"},
		"cess":     {"cess", "compensation cess", "सेस", "उपकर"},
		"interest": {"interest", "interest amount", "interest demanded", "ब्याज"},
		"penalty": {"penalty", "penalty and fees", "penalty fees", "penalty amount", "late fee", "penalty and fee", "दंड", "शास्ति",
			"जुर्माना", "पेनल्टी"},
		"demand": {"total demand", "demand", "amount", "demand amount", "amount involved", "total amount", "amount of demand", "total",
			"tax demanded", "tax involved", "amount demanded", "total demand rs", "demand rs", "disputed amount", "tax amount", "कुल मांग",
			"कुल माँग", "मांग", "माँग", "राशि", "कुल राशि", "रकम"},
		"officer": {"officer", "jurisdiction", "issuing authority", "authority", "issued by", "officer name", "name of officer",
			"proper officer", "range", "ward", "assessing officer", "division", "office", "अधिकारी", "अधिकारी का नाम", "कार्यालय", "क्षेत्राधिकार",
			"जारीकर्ता"},
		"stage": {"stage", "level", "stage of case", "proceeding stage", "चरण", "स्तर"},
		"assignee": {"assigned to", "assignee", "handled by", "handling", "responsible", "responsible person", "staff", "allotted to",
			"dealing person", "incharge", "in charge", "team member", "person responsible", "attended by", "सौंपा गया", "किसके पास",
			"जिम्मेदार", "ज़िम्मेदार", "सँभालने वाले"},
		"state": {"state", "status", "current status", "status of case", "case status", "present status", "स्थिति", "वर्तमान स्थिति"},
		"answered": {"answered on", "date of reply", "reply date", "replied on", "reply filed on", "date of filing", "filed on",
			"reply filed date", "date of submission", "जवाब देने की तारीख", "जवाब की तिथि", "जवाब दाखिल"},
		"arn": {"arn", "arn no", "arn number", "acknowledgement no", "ack no", "reply arn", "एआरएन"},
		"about": {"remarks", "remark", "section", "subject", "issue", "issues", "description", "notes", "details", "comments", "brief", "nature of issue",
			"particulars", "टिप्पणी", "विषय", "विवरण", "अभ्युक्ति", "मुद्दा"},
	}
}

// plain normalises a text for comparison: lower case, only letters and digits, single spaces between words.
func plain(s string) string {
	s = strings.ToLower(norm.NFKC.String(s))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
	}), " ")
}

// named returns how certainly a heading means each value: 100 for a heading of Munshi's own register, less for others.
func named(heading string) map[string]int {
	h := plain(heading)
	sure := map[string]int{}
	if h == "" {
		return sure
	}
	for code, words := range headings() {
		for i, w := range words {
			w = plain(w)
			switch {
			case h == w:
				sure[code] = max(sure[code], 90-i)
			case len([]rune(w)) > 2 && strings.Contains(" "+h+" ", " "+w+" "):
				sure[code] = max(sure[code], 30+min(30, 2*len([]rune(w))))
			}
		}
		for _, language := range []string{"en", "hi"} {
			own := message.New("register."+code, nil).In(language)
			if message.Has("en", "register."+code) && h == plain(own) {
				sure[code] = 100
			}
		}
	}
	// "State" can also head a column of Indian states; the cells decide that later, in fits.
	return sure
}

// sample is the number of rows below the headings by which columns are judged.
const sample = 60

// fits scores how well the cells of a column suit a value, from -100 to 40; 0 if they are no evidence either way.
func fits(code string, cells []string) int {
	share := func(is func(string) bool) float64 {
		n := 0
		for _, c := range cells {
			if is(c) {
				n++
			}
		}
		return float64(n) / float64(len(cells))
	}
	if len(cells) == 0 {
		return 0
	}
	judge := func(of float64) int {
		switch {
		case of >= 0.8:
			return 40
		case of >= 0.5:
			return 20
		case of >= 0.2:
			return 0
		}
		return -100
	}
	switch code {
	case "gstin":
		return judge(share(func(c string) bool { return gstinShape.MatchString(gstinOf(c)) }))
	case "pan":
		return judge(share(func(c string) bool { return panShape.MatchString(strings.ToUpper(strings.TrimSpace(c))) }))
	case "issued", "received", "due", "hearing", "answered":
		if share(func(c string) bool { _, ok := dayOf(c, false); return ok || nothing(c) }) < 0.5 {
			return -100
		}
		return 10
	case "igst", "cgst", "sgst", "cess", "interest", "penalty", "demand":
		if share(func(c string) bool { _, ok := paiseOf(c); return ok || nothing(c) }) < 0.5 {
			return -100
		}
		return 10
	case "years":
		return judge(share(func(c string) bool { return len(yearsIn(c)) > 0 }))
	case "form":
		if share(func(c string) bool { return formIn(c) != "" }) >= 0.3 {
			return 30
		}
		return 0
	case "state":
		if share(func(c string) bool { return stateOf(c) != "" || nothing(c) }) < 0.3 {
			return -60
		}
		return 20
	case "stage":
		if share(func(c string) bool { return stageOf(c) != "" || nothing(c) }) < 0.3 {
			return -60
		}
		return 20
	case "client", "officer", "assignee", "about", "reference", "arn":
		numeric := share(func(c string) bool { _, day := dayOf(c, false); return day || gstinShape.MatchString(gstinOf(c)) })
		if numeric > 0.5 {
			return -100
		}
		if code == "client" && share(func(c string) bool { return strings.ContainsFunc(c, unicode.IsLetter) }) < 0.5 {
			return -100
		}
	}
	return 0
}

// layout says which column of a register holds which value.
type layout struct {
	Sheet   string         `json:"sheet,omitempty"`
	Others  []string       `json:"others,omitempty"` // other sheets with rows, which were not read
	Columns map[string]int `json:"columns"`
	Own     bool           `json:"own,omitempty"` // the register was exported from Munshi
}

// recognise finds the row of headings, as an index in rows (-1 if there is none), and what the columns hold.
func recognise(rows []read.Row) (heading int, found layout) {
	best, bestScore := -1, 0
	for i := range rows[:min(len(rows), 30)] {
		score := 0
		seen := map[string]bool{}
		for _, c := range rows[i].Cells {
			code, sure := surest(named(c))
			if sure >= 40 && !seen[code] && len([]rune(c)) < 60 {
				seen[code] = true
				score += sure
			}
		}
		if len(seen) >= 2 && score > bestScore {
			best, bestScore = i, score
		}
	}
	found.Columns = map[string]int{}
	width := 0
	below := rows[best+1:]
	for _, r := range rows[max(best, 0):] {
		width = max(width, len(r.Cells))
	}
	type match struct {
		code        string
		place, sure int
	}
	all := []match{}
	for place := range width {
		cells := []string{}
		for _, r := range below[:min(len(below), sample)] {
			if c := cellOf(r, place); c != "" {
				cells = append(cells, c)
			}
		}
		sure := map[string]int{}
		if best >= 0 {
			sure = named(cellOf(rows[best], place))
		} else {
			// Without headings, only values that can be recognised from the cells alone are used.
			for _, code := range []string{"gstin", "pan", "years", "form"} {
				if fits(code, cells) >= 30 {
					sure[code] = 30
				}
			}
		}
		for code, n := range sure {
			if n += fits(code, cells); n >= 30 {
				all = append(all, match{code, place, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b match) int {
		return cmp.Or(b.sure-a.sure, a.place-b.place,
			cmp.Compare(slices.Index(importable(), a.code), slices.Index(importable(), b.code)))
	})
	taken := map[int]bool{}
	for _, m := range all {
		if _, has := found.Columns[m.code]; !has && !taken[m.place] {
			found.Columns[m.code], taken[m.place] = m.place, true
		}
	}
	if best >= 0 {
		found.Own = isOwn(rows[best].Cells)
	}
	return best, found
}

// isOwn reports whether headings are those of a register that was exported from Munshi.
func isOwn(cells []string) bool {
	for _, language := range []string{"en", "hi"} {
		ours := []string{}
		for _, c := range columns() {
			ours = append(ours, message.New("register."+c.code, nil).In(language))
		}
		if slices.Equal(cells[:min(len(cells), len(ours))], ours) {
			return true
		}
	}
	return false
}

func surest(of map[string]int) (code string, sure int) {
	for c, n := range of {
		if n > sure || n == sure && c < code {
			code, sure = c, n
		}
	}
	return code, sure
}

func cellOf(r read.Row, place int) string {
	if place < 0 || place >= len(r.Cells) {
		return ""
	}
	c := store.OneLine(r.Cells[place])
	// Munshi's own export puts an apostrophe before text that a spreadsheet program could take for a formula.
	if len(c) > 1 && c[0] == '\'' && strings.ContainsRune("=+-@|", rune(c[1])) {
		c = c[1:]
	}
	return c
}

// nothing reports whether a cell is empty or says so, as with "nil" or "NA".
func nothing(c string) bool {
	switch strings.ToLower(strings.Trim(c, " .")) {
	case "", "-", "--", "—", "na", "n/a", "n.a", "nil", "none", "not applicable", "tbd",
		"pending", "awaited", "शून्य", "कुछ नहीं", "लागू नहीं":
		return true
	}
	return false
}

// digits replaces Devanagari digits with 0 to 9.
var digits = strings.NewReplacer("०", "0", "१", "1", "२", "2", "३", "3", "४", "4", "५", "5", "६", "6", "७", "7", "८", "8",
	"९", "9")

func gstinOf(c string) string {
	return strings.ToUpper(strings.Join(strings.FieldsFunc(digits.Replace(c), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), ""))
}

var (
	numericDay = lazyregexp.New(`^(\d{1,2})[./\-\s](\d{1,2})[./\-\s](\d{4}|\d{2})(?:[ T,].*)?$`)
	isoDay     = lazyregexp.New(`^(\d{4})[./\-](\d{1,2})[./\-](\d{1,2})(?:[ T].*)?$`)
	namedDay   = lazyregexp.New(`(?i)^(\d{1,2})(?:st|nd|rd|th)?[\s./,\-]+([\p{L}\p{M}]+)[\s./,\-]+(\d{4}|\d{2})(?:[ T].*)?$`)
	monthFirst = lazyregexp.New(`(?i)^([a-z]+)[\s.\-]+(\d{1,2})(?:st|nd|rd|th)?[\s,.\-]+(\d{4})$`)
)

var months = map[string]time.Month{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8,
	"sep": 9, "oct": 10, "nov": 11, "dec": 12}

var hindiMonths = map[string]time.Month{"जनवरी": 1, "फरवरी": 2, "फ़रवरी": 2, "मार्च": 3, "अप्रैल": 4, "मई": 5, "जून": 6,
	"जुलाई": 7, "अगस्त": 8, "सितंबर": 9, "सितम्बर": 9, "अक्टूबर": 10, "अक्तूबर": 10, "नवंबर": 11, "नवम्बर": 11, "दिसंबर": 12,
	"दिसम्बर": 12}

// dayOf reads a date and returns it in ISO format. In a date such as 03/04/2024 the day comes first, or the month if us
// is true.
func dayOf(c string, us bool) (iso string, ok bool) {
	c = strings.TrimSpace(digits.Replace(c))
	whole := func(y, m, d int) (string, bool) {
		if y < 100 {
			y += 2000
		}
		at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		if at.Year() != y || int(at.Month()) != m || at.Day() != d || y < 2000 || y > 2100 {
			return "", false
		}
		return at.Format(time.DateOnly), true
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n } // the patterns allow only digits
	if m := numericDay.FindStringSubmatch(c); m != nil {
		first, second := number(m[1]), number(m[2])
		if us {
			first, second = second, first
		}
		return whole(number(m[3]), second, first)
	}
	if m := isoDay.FindStringSubmatch(c); m != nil {
		return whole(number(m[1]), number(m[2]), number(m[3]))
	}
	named := func(word string) int {
		if m, known := hindiMonths[norm.NFC.String(word)]; known {
			return int(m)
		}
		if word = strings.ToLower(word); len(word) < 3 {
			return 0
		}
		return int(months[word[:3]])
	}
	if m := namedDay.FindStringSubmatch(c); m != nil {
		return whole(number(m[3]), named(m[2]), number(m[1]))
	}
	if m := monthFirst.FindStringSubmatch(c); m != nil {
		return whole(number(m[3]), named(m[1]), number(m[2]))
	}
	// Excel stores dates as day numbers: 36526 is 1 January 2000.
	if serial, err := strconv.ParseFloat(c, 64); err == nil && serial >= 36526 && serial < 73000 {
		return time.Date(1899, 12, 30+int(serial), 0, 0, 0, 0, time.UTC).Format(time.DateOnly), true
	}
	return "", false
}

// american reports whether the dates of a column have the month first: some second number is above 12, and no first
// number is.
func american(cells []string) bool {
	us := false
	for _, c := range cells {
		m := numericDay.FindStringSubmatch(strings.TrimSpace(digits.Replace(c)))
		if m == nil {
			continue
		}
		first, _ := strconv.Atoi(m[1])
		second, _ := strconv.Atoi(m[2])
		if first > 12 {
			return false
		}
		us = us || second > 12
	}
	return us
}

var amountShape = lazyregexp.New(`^(?:rs\.?|inr|₹|रु\.?|रुपये)?\s*(-?[\d,]*\.?\d+)\s*(?:/-|/–)?\s*(lakhs?|lacs?|l|crores?|crs?|लाख|करोड़|करोड)?\.?$`)

// paiseOf reads an amount in rupees and returns it in paise.
func paiseOf(c string) (paise int64, ok bool) {
	c = strings.ToLower(strings.TrimSpace(digits.Replace(norm.NFC.String(c))))
	m := amountShape.FindStringSubmatch(c)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	if err != nil || n < 0 {
		return 0, false
	}
	switch {
	case m[2] == "":
	case strings.HasPrefix(m[2], "l"), m[2] == "लाख":
		n *= 1e5
	default:
		n *= 1e7
	}
	if n > 9e13 {
		return 0, false
	}
	return int64(n*100 + 0.5), true
}

var formShape = lazyregexp.New(`(?i)(?:^|[^a-z])(GSTR|ASMT|ADT|DRC|REG|CMP|PCT|RFD|MOV|SPL|APL|RVN)[\s\-–—_.]*0*(\d{1,2})[\s\-]*([A-D])?(?:[^a-z0-9]|$)`)

// formIn returns the form that a text names, spelt as in steps, or "" if it names none of those.
func formIn(c string) string {
	m := formShape.FindStringSubmatch(c)
	if m == nil {
		return ""
	}
	letter := strings.ToUpper(m[3])
	n, _ := strconv.Atoi(m[2])
	series := strings.ToUpper(m[1]) + "-"
	for _, form := range []string{series + two(n) + letter, series + strconv.Itoa(n) + letter} {
		if _, known := steps[form]; known {
			return form
		}
	}
	return ""
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

var (
	yearShape   = lazyregexp.New(`(20[0-4]\d)\s*[-–—/]\s*(?:20)?(\d{2})(?:[^\d]|$)`)
	yearMonth   = lazyregexp.New(`(?i)([a-z]{3,9})[\s\-',]*(20\d{2})`)
	shortYear   = lazyregexp.New(`(?i)\b(?:fy|f\.y\.?)\s*:?\s*(\d{2})\s*[-–]\s*(\d{2})\b`)
	spanOfYears = lazyregexp.New(`(?i)\s(?:to|till|से)\s|–|—|\sto$`)
)

// yearsIn returns the financial years that a text names, in order, including those between the ends of a span.
func yearsIn(c string) []string {
	c = digits.Replace(c)
	found := []string{}
	add := func(first int) {
		y := strconv.Itoa(first) + "-" + two((first+1)%100)
		if !slices.Contains(found, y) && first >= 2017 && first < 2060 {
			found = append(found, y)
		}
	}
	for _, m := range yearShape.FindAllStringSubmatch(c, -1) {
		first, _ := strconv.Atoi(m[1])
		if second, _ := strconv.Atoi(m[2]); second == (first+1)%100 {
			add(first)
		}
	}
	for _, m := range shortYear.FindAllStringSubmatch(c, -1) {
		first, _ := strconv.Atoi(m[1])
		if second, _ := strconv.Atoi(m[2]); second == first+1 {
			add(2000 + first)
		}
	}
	if len(found) == 0 {
		for _, m := range yearMonth.FindAllStringSubmatch(c, -1) {
			month, known := months[strings.ToLower(m[1])[:3]]
			if !known {
				continue
			}
			year, _ := strconv.Atoi(m[2])
			if month < time.April {
				year--
			}
			add(year)
		}
	}
	slices.Sort(found)
	if len(found) == 2 && spanOfYears.MatchString(c) {
		first, _ := strconv.Atoi(found[0][:4])
		last, _ := strconv.Atoi(found[1][:4])
		for y := first + 1; y < last; y++ {
			add(y)
		}
		slices.Sort(found)
	}
	return found
}

// said returns the code of the first phrase in words that equals a text or, if none does, that the text contains.
func said(c string, words [][2]string) string {
	p := plain(c)
	if p == "" {
		return ""
	}
	for _, w := range words {
		if p == plain(w[1]) {
			return w[0]
		}
	}
	for _, w := range words {
		if strings.Contains(" "+p+" ", " "+plain(w[1])+" ") {
			return w[0]
		}
	}
	return ""
}

// ours returns the words of Munshi's own register for the codes of a group, in both languages.
func ours(group string, codes []string) (words [][2]string) {
	for _, code := range codes {
		for _, language := range []string{"en", "hi"} {
			words = append(words, [2]string{code, message.New("register."+in(group, code), nil).In(language)})
		}
	}
	return words
}

// stateOf returns the state of a matter that a text describes, or "".
func stateOf(c string) string {
	return said(c, append(ours("states", states()), [][2]string{
		{"closed", "disposed"}, {"closed", "dropped"}, {"closed", "completed"}, {"closed", "settled"}, {"closed", "case closed"},
		{"closed", "order received dropped"}, {"closed", "समाप्त"}, {"closed", "निपटाया गया"}, {"closed", "निस्तारित"}, {"closed", "done"},
		{"heard", "hearing attended"}, {"heard", "ph attended"}, {"heard", "hearing done"}, {"heard", "awaiting order"},
		{"heard", "order awaited"}, {"heard", "सुनवाई हो गई"},
		{"filed", "reply filed"}, {"filed", "replied"}, {"filed", "reply submitted"}, {"filed", "submitted"}, {"filed", "appeal filed"},
		{"filed", "जवाब दिया"}, {"filed", "जवाब दाखिल"}, {"filed", "जमा"},
		{"approved", "approved by partner"},
		{"review", "under review"}, {"review", "with partner"}, {"review", "to be reviewed"}, {"review", "समीक्षा में"},
		{"drafting", "draft"}, {"drafting", "under preparation"}, {"drafting", "reply under preparation"}, {"drafting", "in progress"},
		{"drafting", "wip"}, {"drafting", "work in progress"}, {"drafting", "तैयार हो रहा है"}, {"drafting", "ड्राफ़्ट"},
		{"waiting", "waiting for client"}, {"waiting", "data awaited"}, {"waiting", "awaiting data"}, {"waiting", "documents awaited"},
		{"waiting", "pending from client"}, {"waiting", "data pending"}, {"waiting", "with client"}, {"waiting", "दस्तावेज़ बाकी"},
		{"new", "open"}, {"new", "pending"}, {"new", "received"}, {"new", "to be done"}, {"new", "not started"}, {"new", "reply pending"},
		{"new", "active"}, {"new", "लंबित"}, {"new", "खुला"}, {"new", "बाकी"},
	}...))
}

// stageOf returns the stage of a matter that a text describes, or "".
func stageOf(c string) string {
	return said(c, append(ours("stages", []string{Tribunal, Appeal, Order, Intimation, Scrutiny, Notice}), [][2]string{
		{Tribunal, "gstat"}, {Tribunal, "tribunal appeal"}, {Tribunal, "second appeal"}, {Tribunal, "न्यायाधिकरण"},
		{Appeal, "first appeal"}, {Appeal, "appellate authority"}, {Appeal, "commissioner appeals"}, {Appeal, "अपील"},
		{Order, "order in original"}, {Order, "oio"}, {Order, "adjudication order"}, {Order, "assessment order"}, {Order, "आदेश"},
		{Intimation, "pre scn"}, {Intimation, "pre show cause"}, {Intimation, "सूचना"},
		{Scrutiny, "audit"}, {Scrutiny, "scrutiny of returns"}, {Scrutiny, "summons"}, {Scrutiny, "जाँच"}, {Scrutiny, "जांच"},
		{Notice, "scn"}, {Notice, "show cause"}, {Notice, "show cause notice"}, {Notice, "adjudication"}, {Notice, "hearing"},
		{Notice, "reminder"}, {Notice, "नोटिस"}, {Notice, "कारण बताओ"},
	}...))
}

// stepOfWords returns the track and stage of a paper from a list: by its form or, without one, by the words for its kind.
func stepOfWords(form, kind string) step {
	if form != "" {
		return steps[form]
	}
	if s := stageOf(kind); s != "" {
		return step{stepOf(gst.Facts{}).track, s}
	}
	return step{"demand", Notice}
}
