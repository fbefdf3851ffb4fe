package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"munshi/evals/reading"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

const ofHead = 4 // number of papers made from each head

// bodies are the texts between head and foot of the papers.
var bodies = [...]string{
	"On verification of the returns for the financial year 2021-22 it is noticed that tax of Rs. 1,84,300/- (CGST Rs. " +
		"92,150 and SGST Rs. 92,150) has\nnot been paid in contravention of section 9 of the Act. You are requested " +
		"to explain the above within fifteen days of receipt of this letter.",
	"2. Whereas it appears from the records that credit of Rs. 4,12,000/- was availed on invoices which are not " +
		"reflected in GSTR-2B, contrary to section\n16(2)(aa) of the CGST Act, 2017.\n3. Now, therefore, show cause " +
		"to the undersigned within 30 days of receipt of this notice as to why the same should not be recovered.",
	"You are hereby directed to appear before the undersigned with the books of account, failing which the case will " +
		"be decided on merits on\nthe basis of the records that are available with this office.",
}

// readHeads makes papers from the heads and feet, each with different words, names, numbers and dates.
func readHeads(folder string, t *law.Tables) ([]paper, error) {
	slots, err := readSlots(filepath.Join(folder, "slots.txt"))
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(folder, "heads.txt"))
	if err != nil {
		return nil, fmt.Errorf("read heads: %w", err)
	}
	_, text, _ := strings.Cut(string(raw), "is the trade name of its firm.\n")
	random := rand.New(rand.NewPCG(3, 4))
	var all []paper
	for n, pattern := range strings.Split(text, "----\n") {
		for range ofHead {
			p, err := makePaper(pattern, slots, random)
			if err != nil {
				return nil, err
			}
			p.Name, p.corpus = fmt.Sprintf("head%02d", n), "heads"
			p.noted = observe(t, p)
			all = append(all, p)
		}
	}
	return all, nil
}

func makePaper(pattern string, slots map[string][]string, random *rand.Rand) (paper, error) {
	pick := func(name string) string { return slots[name][random.IntN(len(slots[name]))] }
	own := time.Date(2023+random.IntN(4), time.Month(1+random.IntN(12)), 1+random.IntN(28), 0, 0, 0, 0, time.UTC)
	before, later := own.AddDate(0, 0, -20-random.IntN(300)), own.AddDate(0, 0, 12+random.IntN(30))
	state := fmt.Sprintf("%02d", 1+random.IntN(36))
	number := func(day time.Time) string { return officeNumber(day, state, random) }
	kind, who := 'P', "person_owner"
	if n := random.IntN(3); n > 0 && !strings.Contains(pattern, "[t]") {
		kind, who = [...]rune{'C', 'F'}[n-1], [...]string{"company", "partners"}[n-1]
	}
	truth := map[string]any{
		"issue_date": own.Format("2006-01-02"), "reference": number(own), "gstin": makeGSTIN(state, kind, random),
		"legal_name": pick(who), "officer": map[string]any{"designation": pick("rank")},
	}
	for token, field := range map[string]string{"{D}": "issue_date", "{R}": "reference", "{G}": "gstin",
		"{M}": "legal_name"} {
		if !strings.Contains(pattern, token) {
			truth[field] = nil
		}
	}
	text := func(field string) string { value, _ := truth[field].(string); return value }
	layout := dayLayouts[random.IntN(len(dayLayouts))]
	filled, err := fill(strings.Replace(pattern, "\n%\n", "\n\n"+bodies[random.IntN(len(bodies))]+"\n\n", 1), slots,
		random)
	if err != nil {
		return paper{}, err
	}
	name := text("legal_name")
	filled = strings.NewReplacer(
		"{D}", own.Format(layout), "{R}", text("reference"), "{M}", name, "{G}", text("gstin"),
		"{O}", truth["officer"].(map[string]any)["designation"].(string),
		"[d]", before.Format(layout), "[e]", later.Format(layout), "[r]", number(before), "[m]", pick("supplier"),
		"[g]", makeGSTIN(state, 'F', random), "[t]", pick("trade"),
	).Replace(filled)
	for _, lead := range []string{"M/s. ", "M/s ", "Tvl. ", "Shri ", "Smt. "} {
		name = strings.TrimPrefix(name, lead)
	}
	if name != "" {
		truth["legal_name"] = name
	}
	return paper{Labelled: reading.Labelled{Truth: truth}, pages: []gst.Page{{Text: filled}}}, nil
}

var dayLayouts = [...]string{"02/01/2006", "02.01.2006", "02-01-2006", "2 January 2006", "02-Jan-2006",
	"2nd January, 2006", "January 2, 2006", "02/01/06"}

// officeNumber makes a reference number of the portal or of an office.
func officeNumber(day time.Time, state string, random *rand.Rand) string {
	letters := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('A' + random.IntN(26))
		}
		return string(b)
	}
	n := random.IntN(9000) + 100
	switch random.IntN(9) {
	case 0, 1, 2:
		return fmt.Sprintf("Z%c%s%s%06d%s", "DA"[random.IntN(2)], state, day.Format("0106"), random.IntN(1000000),
			letters(1))
	case 3:
		return fmt.Sprintf("%s/%s/%d/%d", letters(3), letters(2), day.Year(), n)
	case 4:
		return fmt.Sprintf("GEXCOM/%s/%d/%d-%s", []string{"ADJ/SCN", "AUDIT", "RFD", "AE"}[random.IntN(4)], n,
			day.Year(), letters(4))
	case 5:
		return fmt.Sprintf("V/%d-%d/%s/%d", 10+random.IntN(20), random.IntN(90), letters(3), day.Year())
	case 6:
		return fmt.Sprintf("%d/%d-%02d", n, day.Year(), (day.Year()+1)%100)
	case 7:
		return fmt.Sprintf("%s-%d/GST/%02d-%02d/%d", letters(2), random.IntN(20)+1, day.Year()%100, (day.Year()+1)%100,
			n)
	}
	return fmt.Sprintf("DGGI/INV/GST/%d/%d-Gr %s", n, day.Year(), letters(1))
}

// makeGSTIN makes a GSTIN with a valid check character for a holder of this kind.
func makeGSTIN(state string, kind rune, random *rand.Rand) string {
	const code = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	number := state
	for i := range 5 {
		if i == 3 {
			number += string(kind)
			continue
		}
		number += string(code[10+random.IntN(26)])
	}
	number += fmt.Sprintf("%04d", random.IntN(10000)) + string(code[10+random.IntN(26)]) + "1Z"
	sum := 0
	for i, c := range number {
		v := strings.IndexRune(code, c) * (1 + i%2)
		sum += v/36 + v%36
	}
	return number + string(code[(36-sum%36)%36])
}
