package law

import (
	"strings"
	"testing"
)

// The footnotes are of a fictional Act, in the style of official ones.
func TestReadFootnote(t *testing.T) {
	for _, test := range []struct {
		text      string
		kind      changeKind
		from, old string
		hasOld    bool
	}{
		{`Ins. by Act 13 of 2031, s. 9 (w.e.f. 1-1-2032).`, inserted, "2032-01-01", "", true},
		{`Subs. by Act 31 of 2028, s. 8, for "red lamp" (w.e.f. 1-2-2029).`, substituted, "2029-02-01", "red lamp", true},
		{`subs. by Act 31 of 2028, s. 8 for The Explanation (w.e.f. 1-2-2029).`, substituted, "2029-02-01", "", false},
		{`The words, "or a lantern" omitted by Act 6 of 2032, s. 100 (w.e.f. 1-10-2032).`, omitted, "2032-10-01", "or a lantern", true},
		{`Ins. by Order No. 02/2028-Lamps dated 31-12-2028.`, inserted, "2028-12-31", "", true},
		{`Inserted vide sec 9 of The Finance Act, 2031 (No. 13 of 2031), notified through Notification No. 39/2031-LT dated 21.12.2031, w.e.f. 01.01.2032.`, inserted, "2032-01-01", "", true},
		{`Inserted vide the Finance Act, 2031, notified through Notification No. 17/2031 - LT dated 27.09.2031.`, inserted, "", "", true},
		{`Substituted vide sec 8 of The Lamps (Amendment) Act, 2028, w.e.f. a date yet to be notified, prior to its substitution, it was read as: "section 4".`, substituted, "", "section 4", true},
		{`Substituted (w.e.f. 1st October, 2032 vide Notification No. 18/2032 - LT dated 28.09.2032. ) by s. 9 of The Finance Act 2032 for ''the month of September".`, substituted, "2032-10-01", "the month of September", true},
		{`Omitted “or a lantern” ( w.e.f. 1st October, 2032 vide Notification No. 18/2032) by s. 9 of The Finance Act 2032 (No. 6 of 2032).`, omitted, "2032-10-01", "or a lantern", true},
		{`Subsitituted vide Notf no.94/2030 – LT dt. 22.12.2030 w.e.f 01.01.2031 for “10 lamps”`, substituted, "2031-01-01", "10 lamps", true},
		{`Substituted for ―Explanation.—A lamp burns;‖ by The Lamps (Amendment) Act, 2028 (No. 31 of 2028) – Brought into force w.e.f. 01st February, 2029.`, substituted, "2029-02-01", "Explanation.—A lamp burns;", true},
		{`Inserted vide Notf no. 39/2028-LT dt. 04.09.2028`, inserted, "2028-09-04", "", true},
		{`Omitted vide Notification No. 7/2027 - LT dated 27.06.2027, w.e.f. 22.06.2027. Prior to its omission, it was read as: " , Extent "`, omitted, "2027-06-22", ", Extent", true},
		{`Subs. by s. 5, ibid., for "Provided further that" (w.e.f. 1-10-2032).`, substituted, "2032-10-01", "Provided further that", true},
	} {
		c := readFootnote("1", test.text, "Act 6 of 2032")
		if c.Kind != test.kind || c.From != test.from || c.HasOld != test.hasOld || c.Old != test.old {
			t.Errorf("%s\n is %s from %q, before: %q (%v)", test.text, c.Kind, c.From, c.Old, c.HasOld)
		}
	}
}

// Words that one amendment inserted and a later one replaced are in the text only between the two.
func TestWordsPutInAndReplaced(t *testing.T) {
	for _, test := range []struct{ note, since, first string }{
		{`Substituted vide Notf no. 27/2031 – LT dt. 01.06.2031 for “and a wick” which was Inserted vide Notf no. 13/2031—LT dt. 01.05.2031`, "2031-05-01", ""},
		{`Substituted vide Notf no. 27/2031 – LT dt. 01.06.2031 for “and a wick” which was inserted vide Notf No. 38/2031-LT dt.05.05.2031 with effect from 21.04.2031.`, "2031-04-21", ""},
		{"Substituted vide Notification No. 27/2031 - LT dated 01.06.2031. Prior to substitution, it was read as @@[and a wick] \n@@ Substituted vide Notification No. 13/2031 - LT " +
			"dated 26.04.2031 w.e.f. 01.05.2031. Prior to substitution, it \nwas read as \"and no wick\" \n", "2031-05-01", "and no wick"},
	} {
		c := readFootnote("1", test.note, "")
		if c.From != "2031-06-01" || c.Since != test.since || c.Old != "and a wick" || c.First != test.first {
			t.Fatalf("%s\n from %q since %q: %q, at first %q", test.note, c.From, c.Since, c.Old, c.First)
		}
		m := readMarked("A lamp [and two wicks]1 burns.", markAfter, map[string]*change{"1": c})
		for day, want := range map[string]string{"2031-04-01": strings.Join(strings.Fields("A lamp "+test.first+" burns."), " "), "2031-05-10": "A lamp and a wick burns.", "2031-07-01": "A lamp and two wicks burns."} {
			if text, _, why, _ := m.asOn(day); strings.Join(strings.Fields(text), " ") != want || len(why) > 0 {
				t.Errorf("on %s: %q, not known for %v", day, text, why)
			}
		}
	}
}
