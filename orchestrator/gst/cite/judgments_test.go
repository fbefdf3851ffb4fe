package cite_test

import (
	"testing"

	"munshi/orchestrator/gst/cite"
)

// Of several cases in a list, each is marked by itself: one that nobody supplied does not pass with one that somebody
// did.
func TestCasesOfAListStandApart(t *testing.T) {
	x := open(t)
	const supplied = "Arise India Ltd. v. CTT, 2017 (10) TMI 1020"
	for _, text := range []string{
		"See Arise India Ltd. v. Commissioner of Trade and Taxes, 2017 (10) TMI 1020; K.P. Mozika v. ONGC, 2024 INSC 27.",
		"See K.P. Mozika v. ONGC, 2024 INSC 27; Arise India Ltd. v. CTT, 2017 (10) TMI 1020.",
		"See Arise India Ltd. v. CTT, K.P. Mozika v. ONGC.",
		"See Arise India Ltd. v. CTT and K.P. Mozika v. ONGC.",
		"See Arise India Ltd. v. Commissioner of Trade and Taxes, K.P. Mozika v. ONGC.",
		"See Arise India Ltd. v. CTT, 2017 (10) TMI 1020, K.P. Mozika v. ONGC, 2024 INSC 27.",
	} {
		marks := x.Check(text, cite.Context{Authorities: []string{supplied}})
		verdicts := map[cite.Verdict]int{}
		for _, m := range marks {
			if m.Kind == cite.Judgment {
				verdicts[m.Verdict]++
			}
		}
		if verdicts[cite.Supplied] != 1 || verdicts[cite.NotVerified] != 1 {
			t.Errorf("%s\nhas the marks %+v", text, marks)
		}
	}
	// A case and where it is reported, also twice, are one mark.
	for _, text := range []string{
		"See Arise India Ltd. v. Commissioner of Trade and Taxes, 2017 (10) TMI 1020.",
		"See Arise India Ltd. v. CTT (2017 (10) TMI 1020; 2018 (1) SCC 5).",
	} {
		marks := x.Check(text, cite.Context{Authorities: []string{supplied}})
		if len(marks) != 1 || marks[0].Verdict != cite.Supplied {
			t.Errorf("%s\nhas the marks %+v", text, marks)
		}
	}
}
