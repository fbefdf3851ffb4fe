package law

import (
	"fmt"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	noteKind = lazyregexp.New(`(?i)\b(subs(?:ti?t|it)?[a-z]*|ins(?:erted)?|omitted|omission|renumbered|re-numbered)\b`)
	// noteEffect matches the day from which a change applies, after words such as "w.e.f.".
	noteEffect = lazyregexp.New(`(?i)(?:w\.?\s?e\.?\s?f\s?\.?|with effect from|effective from|effect from|brought into force(?: w\.?e\.?f\.?| on)?)[\s,:–-]*(?:the )?(?:date )?` + dayPattern)
	noteDated  = lazyregexp.New(`(?i)(?:dated|dt\.?|date)[\s.:]*(?:the )?` + dayPattern)
	noteFuture = lazyregexp.New(`(?i)(?:to be (?:effective|notified|brought)|yet to be notified|date (?:yet )?to be notified|not yet (?:been )?notified)`)
	// noteByAct matches the Act or Ordinance that made a change. The change applies from the day that a notification
	// appoints, not from the Act's own date.
	noteByAct   = lazyregexp.New(`(?i)\b(?:Finance \(?(?:No\.? ?\d\)? )?Act|Amendment\)? Act|Act \d+ of \d{4}|Act, \d{4}|ibid|Ordinance)`)
	noteByOrder = lazyregexp.New(`(?i)\bOrder,? No|\bRemoval of Difficult`)
	notePrior   = lazyregexp.New(`(?i)prior to (?:(?:its|their|the|such) )?(?:substitution|omission|insertion|amendment),?\s+it\s+(?:was\s+)?reads?\s*(?:as)?(?:\s+under)?\s*[:,.\-–\s]*`)
	// notePutIn matches "which was inserted", said of words that were replaced later.
	notePutIn    = lazyregexp.New(`(?i)\bwhich (?:was|were) (?:earlier |itself )?inserted\b`)
	noteQuotedOf = lazyregexp.New(`(?i)\b(?:for|words?,?|letters?|figures?|brackets?|omitted|substituted|number|expression|brackets and figures?)[\s,:]*$`)
	quoteOpen    = "\"“‘'―"
	noteShape    = lazyregexp.New(`(?i)^(?:subs|ins|omit|the (?:words?|proviso|figures?|letters?|brackets?|expression)|clauses?|sub-?section|explanation|proviso|first|second|prior|renumbered|corri|vide|refer|enforced|notified|added|amended|words?|new|earlier|deleted|date)`)
)

const dayPattern = `(?:(\d{1,2})(?:st|nd|rd|th)?[\s,]*(?:day of )?(January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[.,\s]*(\d{4})|(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{4}))`

// dayOf returns the ISO day that dayPattern matched, from its six groups.
func dayOf(groups []string) string {
	day, month, year := groups[0], "", groups[2]
	if day != "" {
		for name, n := range monthNumbers {
			if strings.HasPrefix(name, strings.ToLower(groups[1])[:3]) {
				month = strconv.Itoa(int(n))
			}
		}
	} else {
		day, month, year = groups[3], groups[4], groups[5]
	}
	d, _ := strconv.Atoi(day)
	m, _ := strconv.Atoi(month)
	iso := fmt.Sprintf("%s-%02d-%02d", year, m, d)
	if !isDay(iso) {
		return ""
	}
	return iso
}

// readFootnote reads from a footnote what an amendment did. ibid is the instrument named in the previous footnote.
func readFootnote(number, text, ibid string) *change {
	c := &change{Note: number, Kind: unclear, Text: text}
	// Quoted words are not the footnote's own.
	own, putIn := withoutQuotes(text), ""
	if at := notePutIn.FindStringIndex(own); at != nil {
		own, putIn = own[:at[0]], own[at[0]:]
	}
	if m := noteKind.FindString(own); m != "" {
		switch l := strings.ToLower(m); {
		case strings.HasPrefix(l, "ins"):
			c.Kind = inserted
		case strings.HasPrefix(l, "sub"):
			c.Kind = substituted
		case strings.HasPrefix(l, "om"):
			c.Kind = omitted
		default: // renumbered: the number in brackets is new
			c.Kind = inserted
		}
	}
	byAct := noteByAct.MatchString(own) && !noteByOrder.MatchString(own)
	switch {
	case noteEffect.MatchString(own):
		c.From = dayOf(noteEffect.FindStringSubmatch(own)[1:])
	case noteFuture.MatchString(own):
		c.Future = true
	case !byAct && noteDated.MatchString(own):
		c.From = dayOf(noteDated.FindStringSubmatch(own)[1:])
	}
	c.By = strings.TrimSpace(own)
	if strings.Contains(own, "ibid") && ibid != "" {
		c.By = strings.Replace(own, "ibid", ibid, 1)
	}
	c.By = clip(strings.Join(strings.Fields(c.By), " "), 240)
	if c.Kind == substituted || c.Kind == omitted {
		c.Old, c.HasOld = quotedOld(text, c.Kind)
		if sub := wholeSubNote(c.Old); sub != nil {
			c.Since, c.First = sub.From, sub.Old
		}
		c.Old = withoutSubNotes(c.Old)
		switch {
		case !c.HasOld:
		case noteEffect.MatchString(putIn):
			c.Since = dayOf(noteEffect.FindStringSubmatch(putIn)[1:])
		case noteDated.MatchString(putIn):
			c.Since = dayOf(noteDated.FindStringSubmatch(putIn)[1:])
		}
	}
	if c.Kind == inserted {
		c.HasOld = true
	}
	return c
}

// quotedOld returns the earlier words that a footnote quotes.
func quotedOld(text string, kind changeKind) (string, bool) {
	if at := notePrior.FindStringIndex(text); at != nil {
		old := strings.TrimSpace(text[at[1]:])
		if old == "" {
			return "", false
		}
		return trimQuotes(old), true
	}
	for i, r := range text {
		if !strings.ContainsRune(quoteOpen, r) || r == '\'' && i > 0 && isWordByte(text[i-1]) {
			continue
		}
		before := text[max(0, i-40):i]
		if !noteQuotedOf.MatchString(before) && (kind != omitted || i > 160) {
			continue
		}
		rest := text[i+len(string(r)):]
		end := closingQuote(rest)
		if end < 0 {
			return "", false
		}
		return trimQuotes(strings.TrimLeft(rest[:end], quoteOpen)), true
	}
	return "", false
}

var (
	subNote = lazyregexp.New(`(?s)\n\s*[*@#$]{1,4} ?(?i:Ins|Subs|Omit|Vide).*$`)
	subMark = lazyregexp.New(`[*@#$]{1,4} ?\[`)
)

// wholeSubNote handles earlier words that had themselves replaced others completely: "@@[10 per cent.] @@ Substituted
// … it was read as "20 per cent."". It returns that change, or nil if there is none or its day or earlier words are
// not given.
func wholeSubNote(old string) *change {
	m := changedBefore.FindStringSubmatch(old)
	if m == nil || m[1] != m[3] || subMark.MatchString(m[2]) {
		return nil
	}
	sub := readFootnote("", m[4], "")
	if sub.From == "" || sub.Kind != inserted && (sub.Kind != substituted || !sub.HasOld) {
		return nil
	}
	return sub
}

var changedBefore = lazyregexp.New(`(?s)^\s*["“]?([*@#$]{1,4}) ?\[([^\[\]]+)\]["”.]*\s*\n?\s*([*@#$]{1,4}) ?((?i:Ins|Subs).*)$`)

// withoutSubNotes removes from quoted words the marks and notes of earlier changes to them.
func withoutSubNotes(old string) string {
	old = subNote.ReplaceAllString(old, "")
	if subMark.MatchString(old) {
		old = strings.NewReplacer("[", "", "]", "").Replace(subMark.ReplaceAllString(old, "["))
	}
	return trimQuotes(old)
}

// closingQuote returns where a quotation ends: at the last closing mark before the footnote continues in its own
// words, since the quotation may contain quotations.
func closingQuote(s string) int {
	end := -1
	for i, r := range s {
		if r == '“' && strings.Trim(s[i+len("“"):], " .\n") == "" {
			return i // “uploaded “
		}
		if !strings.ContainsRune("\"”’'―‖", r) {
			continue
		}
		if (r == '\'' || r == '’') && i+len(string(r)) < len(s) && i > 0 && isWordByte(s[i-1]) &&
			isWordByte(s[i+len(string(r))]) {
			continue
		}
		end = i
		rest := strings.TrimLeft(s[i+len(string(r)):], " ,.;)\n")
		if rest == "" || ownWords.MatchString(rest) {
			return i
		}
	}
	return end
}

var ownWords = lazyregexp.New(`(?i)^(?:\(?w\.?\s?e\.?\s?f|by |vide |omitted|substituted|ins|subs|and |for |with effect|,? ?w\.e\.f|\(w|respectively|\d{1,2}[-./])`)

func trimQuotes(s string) string {
	s = strings.TrimSpace(s)
	trimmed := strings.TrimLeft(s, quoteOpen+"”’")
	if len(trimmed) < len(s) {
		if end := strings.LastIndexAny(trimmed, "\"”’'―‖"); end >= 0 &&
			strings.Trim(trimmed[end:], "\"”’'―‖. \n") == "" {
			trimmed = trimmed[:end]
		}
		return strings.TrimRight(strings.TrimSpace(trimmed), "\"”’'―‖")
	}
	return s
}

// withoutQuotes returns a footnote without the words that it quotes.
func withoutQuotes(text string) string {
	if at := notePrior.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		opened := -1
		for j, r := range text[i:] {
			if strings.ContainsRune("\"“―", r) || (r == '‘' || r == '\'') && (i+j == 0 || !isWordByte(text[i+j-1])) {
				opened = i + j
				break
			}
		}
		if opened < 0 {
			b.WriteString(text[i:])
			break
		}
		b.WriteString(text[i:opened])
		size := len(string([]rune(text[opened:])[0]))
		end := closingQuote(text[opened+size:])
		if end < 0 {
			break
		}
		b.WriteString(" … ")
		i = opened + size + end
		i += len(string([]rune(text[i:])[0]))
	}
	return b.String()
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := strings.LastIndexByte(s[:n], ' ')
	return s[:max(cut, 1)] + "…"
}

var instrument = lazyregexp.New(`(?i)\b(Act \d+ of \d{4}|(?:the )?Finance \(?(?:No\.? ?\d\)? )?Act,? \d{4}|Notification No\.? ?\d+/\d{4})`)

// instrumentOf returns the Act or notification that a footnote names, for an "ibid" in the next one; before if it
// names none.
func instrumentOf(text, before string) string {
	if m := instrument.FindString(text); m != "" {
		return m
	}
	return before
}
