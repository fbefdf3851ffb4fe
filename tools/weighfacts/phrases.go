package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// phrase is one way of naming a date or a time limit, with the observations about it.
type phrase struct {
	question, role string
	observed       []string
}

const variations = 8 // of each phrase, with different words in its slots

// readPhrases reads the phrases, and makes papers with several variations of each.
func readPhrases(folder string, t *law.Tables) ([]phrase, error) {
	slots, err := readSlots(filepath.Join(folder, "slots.txt"))
	if err != nil {
		return nil, err
	}
	lines, err := readLines(filepath.Join(folder, "phrases.txt"))
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, 2))
	var all []phrase
	for _, l := range lines {
		role, pattern, ok := strings.Cut(l, "|")
		if !ok {
			return nil, fmt.Errorf("a phrase without a role: %s", l)
		}
		seen := map[string]bool{}
		for n := range variations {
			text, err := fill(parted(pattern, random), slots, random)
			if err != nil {
				return nil, err
			}
			if !seen[text] {
				seen[text] = true
				all = append(all, observePhrase(t, role, text, n%len(settings))...)
			}
		}
	}
	return all, nil
}

// The dates of the papers made for phrases: the paper's own, a future one, a past one, and others.
const (
	ownDay, toCome, past, another, later = "05/01/2026", "18/02/2026", "18/12/2025", "11/11/2025", "26/02/2026"
	ownISO, toComeISO, pastISO           = "2026-01-05", "2026-02-18", "2025-12-18"
)

// settings are the papers into which phrases are put: a letter, a few lines, a form, a letter without a date.
var settings = [...]string{
	"GOVERNMENT OF INDIA\nOFFICE OF THE ASSISTANT COMMISSIONER OF CENTRAL TAX\nShow Cause Notice No. " +
		"12/2026\nDATED\n\nTo\nM/s Alpha Traders\nGSTIN 27AAPFU0939F1ZV\n\nWhereas it appears that tax of CGST Rs. " +
		"1,000 and SGST Rs. 1,000 has not been paid for 2022-23 in contravention of section 9 of the " +
		"Act.\n\nSAID\n\nThe above is under the law and the rules made thereunder.\n\n(A. B. Rao)\nAssistant " +
		"Commissioner\n",
	"OFFICE OF THE SUPERINTENDENT OF GST\nSHOW CAUSE NOTICE No. 7/2025-26\nDATED\nGSTIN: 27AAPFU0939F1ZV\n\nSAID\n",
	"Summary of Show Cause Notice\nReference No. ZD270126004411A\nDATED\nName : ALPHA TRADERS\nGSTIN : " +
		"27AAPFU0939F1ZV\nSection under which the notice is issued : 73\nSAID\nSignature of the proper officer\nName " +
		": A. B. Rao\nDesignation : State Tax Officer\n",
	"STATE TAX DEPARTMENT (undated)\nDATED\nM/s Alpha Traders, GSTIN 27AAPFU0939F1ZV, have not paid tax of Rs. 2,000 " +
		"for 2022-23. It appears that section 9 of the Act\nwas contravened. SAID Further action will be taken under " +
		"the Act and the rules made thereunder without any other notice.\nState Tax Officer\n",
}

func observePhrase(t *law.Tables, role, text string, setting int) []phrase {
	hindi := strings.Contains(text, "के") || strings.Contains(text, "का ")
	days, times := strings.Contains(text, "{D}"), strings.Contains(text, "{N}")
	day, iso, count := toCome, toComeISO, "17 days"
	if hindi {
		count = "17 दिन"
	}
	switch role {
	case "later":
		role = gst.PastDay // it has no consequence, like a past date
	case gst.PastDay:
		day, iso = past, pastISO
	case gst.IssueDay:
		day, iso = ownDay, ownISO
	}
	text = strings.NewReplacer("{D}", day, "[d]", another, "[e]", later, "[o]", ownDay, "{N}", count, `\n`,
		"\n").Replace(text)
	dated, said := "Date: "+ownDay, text
	if role == gst.IssueDay {
		dated, said = text, "The case is as follows."
	}
	known := []gst.Correction{{Field: "issue_date", Value: []byte(`"` + ownISO + `"`)}}
	if strings.Contains(settings[setting], "undated") {
		dated, known = "", nil
	}
	page := strings.NewReplacer("DATED", dated, "SAID", said).Replace(settings[setting])
	var all []phrase
	for _, n := range gst.Observe(t, []gst.Page{{Text: page}}, known...) {
		switch {
		case n.Question == gst.DayQuestion && days && n.Value == iso:
			all = append(all, phrase{n.Question, role, n.Observed})
		case n.Question == gst.DayQuestion && n.Value == "2025-11-11":
			all = append(all, phrase{n.Question, gst.PastDay, n.Observed})
		case n.Question == gst.TimeQuestion && times && n.Value == "17 days":
			all = append(all, phrase{n.Question, role, n.Observed})
		case n.Question == gst.IssueQuestion && role == gst.IssueDay && n.Value == ownISO:
			all = append(all, phrase{n.Question, "own", n.Observed})
		case n.Question == gst.IssueQuestion && n.Value != ownISO:
			all = append(all, phrase{n.Question, "other", n.Observed})
		}
	}
	return all
}

// parted puts another separator between a label and its value.
func parted(pattern string, random *rand.Rand) string {
	signs := [...]string{"    ", " : ", ": ", " ", " - ", "          "}
	sign := signs[random.IntN(len(signs))]
	for _, value := range []string{"{D}", "{N}"} {
		for _, was := range []string{"    ", " : ", ": "} {
			pattern = strings.ReplaceAll(pattern, was+value, sign+value)
		}
	}
	return pattern
}

var slot = regexp.MustCompile(`<[a-zA-Z]+>`)

// fill puts words into the slots of a phrase.
func fill(pattern string, slots map[string][]string, random *rand.Rand) (string, error) {
	var err error
	text := slot.ReplaceAllStringFunc(pattern, func(name string) string {
		name = name[1 : len(name)-1]
		words := slots[strings.ToLower(name)]
		if len(words) == 0 {
			err = fmt.Errorf("no words for %q in the phrase %q", name, pattern)
			return ""
		}
		word := words[random.IntN(len(words))]
		if name[0] < 'a' {
			word = capital(word)
		}
		return word
	})
	text = strings.ReplaceAll(text, "[n]", "12 days")
	return capital(text), err
}

func capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// readSlots reads the words for each slot, as in "answer: reply, response".
func readSlots(file string) (map[string][]string, error) {
	lines, err := readLines(file)
	if err != nil {
		return nil, err
	}
	slots := map[string][]string{}
	for _, l := range lines {
		name, list, _ := strings.Cut(l, ":")
		for word := range strings.SplitSeq(list, ",") {
			slots[name] = append(slots[name], strings.TrimSpace(word))
		}
	}
	return slots, nil
}

// readLines reads the lines of a file that are neither empty nor comments.
func readLines(file string) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read phrases: %w", err)
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if l := s.Text(); l != "" && !strings.HasPrefix(l, "#") {
			lines = append(lines, l)
		}
	}
	return lines, nil
}
