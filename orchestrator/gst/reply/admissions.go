package reply

import "munshi/orchestrator/gst/lazyregexp"

var admitting = lazyregexp.New(`(?i)\b(?:the\s+(?:noticee|taxpayer|appellant|applicant)|we|it\s+is)\s+(?:hereby\s+|fairly\s+|candidly\s+)?(?:admits?|admitted|accepts?|concedes?|conceded|agrees?\s+to\s+pay|undertakes?\s+to\s+pay)\b[^.;]{0,160}`)

// Admissions returns the byte offsets at which an English text reads as if the noticee admitted something. A statement
// that nothing is admitted does not count.
func Admissions(text string) [][]int {
	return admitting.FindAllStringIndex(text, -1)
}
