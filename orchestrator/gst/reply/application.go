package reply

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// Application is the application that a notice is about, for a refund or for registration, as the notice prints it.
type Application struct {
	Number  string  // its ARN, "" if none is printed
	On      law.Day // on which it was made, zero if not printed
	Claimed int64   // the refund claimed, in paise; 0 if not printed
	Totals  []int64 // the sums that the notice calls a total, in paise
}

// arn matches an application reference number, which is two letters, the State, month and year, a serial number and a
// check character. The other expressions match what the notice prints about the application.
var (
	arn       = lazyregexp.New(`\bA[A-Z]\d{12}[A-Z0-9]\b`)
	claimed   = lazyregexp.New(`(?:amount (?:of refund )?claimed|refund claimed|claim of|claimed refund of|amounting to|application for refund|refund of)\b`)
	anyTotal  = lazyregexp.New(`\btotal\b`)
	forRupees = lazyregexp.New(`^[^.;]{0,45}\bfor (?:rs|₹|inr)`)
)

// ApplicationIn reads the application that a notice is about. An amount is only taken where the notice marks it as
// rupees.
func ApplicationIn(pages []gst.Page) Application {
	var a Application
	for _, page := range pages {
		text := page.Text
		low := strings.ToLower(text)
		if at := arn.FindStringIndex(text); at != nil && a.Number == "" && len(low) == len(text) {
			a.Number = text[at[0]:at[1]]
			after := low[at[1]:min(len(low), at[1]+60)]
			if days := gst.Dates(after); len(days) > 0 {
				a.On = days[0].Day
			}
			if forRupees.MatchString(after) {
				a.Claimed = marked(low[at[1]:min(len(low), at[1]+90)])
			}
		}
		for _, at := range claimed.FindAllStringIndex(low, -1) {
			if a.Claimed == 0 {
				a.Claimed = marked(sentenceOf(low[at[1]:min(len(low), at[1]+90)]))
			}
		}
		for _, at := range anyTotal.FindAllStringIndex(low, -1) {
			line, _, _ := strings.Cut(low[at[1]:], "\n")
			if sums := gst.Sums(line); len(sums) > 0 {
				a.Totals = append(a.Totals, sums[0].Paise)
			}
		}
	}
	return a
}

// sentenceOf returns a text up to the end of its first sentence. "Rs. " and "no. " do not end it.
func sentenceOf(low string) string {
	if i := strings.Index(strings.NewReplacer("rs. ", "rs_ ", "no. ", "no_ ").Replace(low), ". "); i >= 0 {
		return low[:i]
	}
	return low
}

// marked returns, in paise, the first amount that is marked as rupees, or 0 if there is none.
func marked(low string) int64 {
	for _, s := range gst.Sums(low) {
		if s.Marked {
			return s.Paise
		}
	}
	return 0
}

// inTable matches an amount as a table prints it, with commas and without a currency sign, such as "1,20,000".
var inTable = lazyregexp.New(`(?:^| )(\d{1,3}(?:,\d{2,3})+(?:\.\d{2})?)(?:/-)?(?: |$)`)

// objection is what a notice proposes to refuse under one of its points.
type objection struct {
	words string // of the point, without the amount beside it in a table
	paise int64
}

// objections returns, by the key of each point, what a notice on a refund refuses under it, and the sum. They are used
// only if they add up to a total that the notice prints.
func (w *writer) objections() (each map[string]objection, sum int64) {
	if !w.is("RFD-08") {
		return nil, 0
	}
	each = map[string]objection{}
	for _, p := range w.points {
		found := inTable.FindAllStringSubmatchIndex(p.Alleged, -1)
		if len(found) != 1 {
			return nil, 0
		}
		at := found[0]
		sums := gst.Sums(p.Alleged[at[2]:at[3]])
		if len(sums) != 1 {
			return nil, 0
		}
		words := strings.TrimSpace(p.Alleged[:at[0]] + " " + strings.TrimLeft(p.Alleged[at[1]:], " "))
		each[p.Key] = objection{words, sums[0].Paise}
		sum += sums[0].Paise
	}
	if sum == 0 || !slices.Contains(w.given.Application.Totals, sum) {
		return nil, 0
	}
	return each, sum
}

// undisputed returns the part of the refund to which the notice does not object, in paise, or 0 if it cannot be
// determined.
func (w *writer) undisputed() int64 {
	if w.refused == 0 || w.given.Application.Claimed <= w.refused {
		return 0
	}
	return w.given.Application.Claimed - w.refused
}

// modified returns the part that states whether fields of an application for registration are changed, or "" if nobody
// has said so.
func (w *writer) modified(mark string) string {
	said := w.given.Answers[askModify]
	if !w.is("REG-03") || !said.known() {
		return ""
	}
	p := &numbered{mark: mark}
	if said.Holds == "no" {
		p.add("No field of the application is changed.")
	} else {
		p.add("These fields of the application are changed: " + strings.TrimRight(
			w.filled(askModify, 0, "fields of the application, and what each becomes"), ".") + ".")
	}
	return p.String()
}

// party returns the word by which the paper calls the person.
func (w *writer) party() string {
	if w.is("REG-03", "REG-23", "RFD-08", "SPL-03") {
		return "Applicant"
	}
	return "Noticee"
}

// called returns the parts with the word for the person replaced by the one that the form uses. Quotations stay
// unchanged.
func (w *writer) called(parts []Part) []Part {
	party := w.party()
	if party == "Noticee" {
		return parts
	}
	for i := range parts {
		lines := strings.Split(parts[i].Text, "\n")
		for j, line := range lines {
			if !strings.HasPrefix(line, "> ") {
				lines[j] = strings.ReplaceAll(line, "Noticee", party)
			}
		}
		parts[i].Text = strings.Join(lines, "\n")
	}
	return parts
}

// theApplication returns the number and date of the application, or "" if the number is not known.
func (w *writer) theApplication() string {
	a := w.given.Application
	if a.Number == "" {
		return ""
	}
	text := "ARN " + a.Number
	if !a.On.IsZero() {
		text += " of " + a.On.Printed()
	}
	return text
}
