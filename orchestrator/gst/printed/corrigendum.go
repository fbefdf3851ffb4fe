package printed

import (
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// readForRead reads the amounts before and after the change from a corrigendum that shows its changes in two columns,
// "For" and "Read".
func (p *Paper) readForRead() {
	if !p.isKind("corrigendum") {
		return
	}
	from, within := 0, false
	for line := range strings.Lines(p.all) {
		low := lower(line)
		at := []Quote{p.quote(from, from+len(line))}
		from += len(line)
		switch sums := paiseIn(low); {
		case forAndRead.MatchString(low):
			within = true
		case !within:
		case seventyThreeToFour.MatchString(low):
			p.Known.Put("corrigendum.puts_74", Value{Kind: Truth, Yes: true, At: at})
		case seventyFourToThree.MatchString(low): // "Read" is the column's name there, not a verb
			delete(p.Known, "corrigendum.puts_74")
		case strings.Contains(low, "total") && len(sums) > 1 && sums[len(sums)-1] > sums[len(sums)-2]:
			was, is := sums[len(sums)-2], sums[len(sums)-1]
			p.Known.Put("notice.tax", Value{Kind: Money, Paise: was, At: at})
			p.Known.Put("corrigendum.more", Value{Kind: Money, Paise: is - was, At: at})
		}
	}
	if m := leftOut.FindStringIndex(p.low); within && m != nil {
		p.Known.Put("corrigendum.adds", Value{Kind: Truth, Yes: true, At: []Quote{p.around(m[0], m[1])}})
	}
}

var (
	forAndRead         = lazyregexp.New(`^(?:[a-z. ]{0,40}\s)?for\s+read\s*$`)
	seventyThreeToFour = lazyregexp.New(`section 73(?:\([0-9]+\))?\s.*section 74(?:\([0-9]+\))?\s*$`)
	seventyFourToThree = lazyregexp.New(`section 74(?:\([0-9]+\))?\s.*section 73(?:\([0-9]+\))?\s*$`)
	leftOut            = lazyregexp.New(`\bincrease is (?:for|on account of|due to)\b|\b(?:had|have|has) been (?:left out|omitted)\b|\b(?:was|were) left out\b`)
)
