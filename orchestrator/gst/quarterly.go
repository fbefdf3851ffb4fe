package gst

import "munshi/orchestrator/gst/lazyregexp"

// FilesQuarterly returns the offsets at which a lower-case text says that its addressee files returns quarterly. It
// returns nil if the text does not say so, or denies it elsewhere.
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
