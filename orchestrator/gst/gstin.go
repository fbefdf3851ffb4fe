package gst

// ValidGSTIN reports whether a word is a GSTIN, by its format, its State and its check digit.
func ValidGSTIN(word string) bool {
	_, valid, repaired, ok := parseGSTIN(word, false)
	return ok && valid && !repaired
}
