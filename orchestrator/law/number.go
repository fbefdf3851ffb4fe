package law

import "munshi/orchestrator/gst/lazyregexp"

var (
	numberShape = lazyregexp.New(`^(\d{1,3}[A-Z]{0,3}|Schedule [IVX]{1,4})((?:\([0-9A-Za-z]{1,6}\))*)$`)
	numberPart  = lazyregexp.New(`\(([0-9A-Za-z]{1,6})\)`)
)

// ParseNumber splits "16(2)(aa)" into 16, 2 and aa. It reports false if the text is not the number of a provision.
func ParseNumber(number string) ([]string, bool) {
	m := numberShape.FindStringSubmatch(number)
	if m == nil {
		return nil, false
	}
	path := []string{m[1]}
	for _, part := range numberPart.FindAllStringSubmatchIndex(m[2], -1) {
		path = append(path, m[2][part[2]:part[3]])
	}
	return path, true
}
