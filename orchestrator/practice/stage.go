package practice

import "munshi/orchestrator/gst"

// The stages of a matter, earliest first; the store uses the same order.
const (
	Scrutiny   = "scrutiny"
	Intimation = "intimation"
	Notice     = "notice"
	Order      = "order"
	Appeal     = "appeal"
	Tribunal   = "tribunal"
)

var stages = map[string]int{Scrutiny: 1, Intimation: 2, Notice: 3, Order: 4, Appeal: 5, Tribunal: 6}

// step is the place of a form: its kind of proceeding (track), and its stage there. Forms that may lead to a demand,
// such as those of a scrutiny or an audit, belong to the demand track.
type step struct{ track, stage string }

// steps has all forms of the law tables.
var steps = map[string]step{
	"GSTR-3A": {"demand", Scrutiny}, "ASMT-02": {"assessment", Notice}, "ASMT-10": {"demand", Scrutiny},
	"ASMT-13": {"demand", Order}, "ASMT-14": {"demand", Notice}, "ASMT-15": {"demand", Order},
	"ASMT-16": {"demand", Order}, "ADT-01": {"demand", Scrutiny}, "ADT-02": {"demand", Scrutiny},
	"ADT-03": {"demand", Scrutiny}, "DRC-01A": {"demand", Intimation}, "DRC-01": {"demand", Notice},
	"DRC-02": {"demand", Notice}, "DRC-01B": {"demand", Scrutiny}, "DRC-01C": {"demand", Scrutiny},
	"DRC-01D": {"demand", Order}, "DRC-03": {"demand", Intimation}, "DRC-06": {"demand", Notice},
	"DRC-07": {"demand", Order}, "DRC-08": {"demand", Order}, "DRC-13": {"demand", Order},
	"DRC-22": {"attachment", Notice},
	"REG-03": {"registration", Notice}, "REG-05": {"registration", Order},
	"REG-17": {"registration", Notice},
	"REG-31": {"registration", Notice},
	"REG-19": {"registration", Order}, "REG-23": {"registration", Notice},
	"CMP-05": {"composition", Notice}, "PCT-03": {"practitioner", Notice},
	"RFD-03": {"refund", Notice}, "RFD-06": {"refund", Order}, "RFD-08": {"refund", Notice},
	"MOV-02": {"detention", Notice}, "MOV-06": {"detention", Notice}, "MOV-07": {"detention", Notice},
	"MOV-09": {"detention", Order}, "MOV-10": {"detention", Notice},
	"MOV-11": {"detention", Order}, "SPL-03": {"waiver", Notice}, "APL-01": {"", Appeal}, "APL-05": {"", Tribunal},
	"RVN-01": {"", Appeal},
	"APL-04": {"", Appeal},
}

// stepOf returns the step of a paper. A letter without a form counts as a notice or order about a demand. An appeal
// has the track of the order it follows, and "" until that is known.
func stepOf(f gst.Facts) step {
	if f.Form != nil {
		if s, known := steps[*f.Form]; known {
			return s
		}
	}
	if f.Kind == "order" {
		return step{"demand", Order}
	}
	return step{"demand", Notice}
}

// alongside reports whether papers of two tracks can belong to the same matter.
func alongside(a, b string) bool { return a == b || a == "" || b == "" }
