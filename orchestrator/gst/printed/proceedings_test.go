package printed

import (
	"testing"
)

func TestWhatWentBeforeAPaper(t *testing.T) {
	const central = "OFFICE OF THE SUPERINTENDENT OF GST AND CENTRAL EXCISE\nHOSUR II RANGE\nO.C. No. 417/2026 Date: 10/08/2026\nGSTIN : 33XNHCS6620B1ZE\n" +
		"Sub: GST - interest under section 50(1) - payment called for.\nA sum of Rs.36,690/- is payable.\n"
	const late = "FORM GST APL-04\n[See rules 113(1) & 115]\nSummary of the demand after issue of order by the Appellate Authority\nDate of order 18/09/2026.\n"
	for name, c := range map[string]struct{ text, fact, want string }{
		"a notice of the State": {
			central + "The State Tax Officer, Hosur had by DRC-01 No. ZD330526034471N dated 22/05/2026 asked for the very same interest.\n", "parallel.day", "2026-05-22",
		},
		"one on another matter": {
			central + "The State Tax Officer, Hosur had by DRC-01 No. ZD330526034471N dated 22/05/2026 asked for other interest.\n", "parallel.day", "",
		},
		"one that was dropped": {
			central + "The show cause notice dated 22/05/2026 of the State Tax Officer for the same interest was dropped.\n", "parallel.day", "",
		},
		"fraud held not made out": {
			central + "The Commissioner (Appeals) held that fraud was not established and directed, in terms of section 75(2), that tax be determined as if the notice were " +
				"issued under section 73(1).\n", "redetermination.ordered", "yes",
		},
		"fraud only argued about": {
			central + "If fraud is not established in appeal, section 75(2) has the tax determined under section 73(1).\n", "redetermination.ordered", "",
		},
		"all of the tax paid":  {central + "The whole of the tax in the notice was paid by you on 21/03/2026.\n", "tax.paid_whole", "2026-03-21"},
		"all of the tax asked": {central + "The whole of the tax should be paid on 21/03/2026.\n", "tax.paid_whole", ""},
		"an appeal":            {late + "The order was communicated to the appellant on 10/01/2026. The appeal was presented on 05/05/2026.\n", "appeal.condonable", "2026-05-10"},
		"when it came":         {late + "The order was communicated to the appellant on 10/01/2026. The appeal was presented on 05/05/2026.\n", "appeal.filed", "2026-05-05"},
	} {
		t.Run(name, func(t *testing.T) { is(t, factsOf(c.text), c.fact, c.want) })
	}
}
