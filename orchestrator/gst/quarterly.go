package gst

import "munshi/orchestrator/gst/lazyregexp"

// FilesQuarterly returns where a text in small letters says that its addressee files returns quarterly; nil if it does
// not, or takes it back.
func FilesQuarterly(text string) []int {
	if notQuarterly.MatchString(text) {
		return nil
	}
	return quarterly.FindStringIndex(text)
}

var (
	quarterly    = lazyregexp.New(`\bqrmp\b|\b(?:return|filing) (?:profile|frequency|preference)[ :-]{1,4}quarterly|(?:तिमाही|त्रैमासिक) (?:रिटर्न|फाइल|फ़ाइल)`)
	notQuarterly = lazyregexp.New(`\bnot (?:opted|under|in)\b[^.\n]{0,20}qrmp|qrmp[ :-]{1,4}no\b|opted out`)
)
