package model

import "unicode"

// EstimateTokens estimates how many tokens a model counts in a text. It errs on the high side: slightly for tokenizers
// that split numbers into digits (Llama 2), by about a third for OpenAI's on a notice, and by much more for those that
// know Indian scripts well.
func EstimateTokens(text string) int {
	hundredths := 0
	for _, r := range text {
		switch {
		case r == ' ':
			hundredths += 15
		case 'a' <= r && r <= 'z':
			hundredths += 30
		case 'A' <= r && r <= 'Z':
			hundredths += 50
		case r <= unicode.MaxASCII: // digits, punctuation, line ends
			hundredths += 100
		case r <= 0xFFFF: // Devanagari and similar scripts: one token per letter, sometimes two
			hundredths += 160
		default:
			hundredths += 500
		}
	}
	return (hundredths + 99) / 100
}

// estimate returns the tokens of messages.
func estimate(messages []Message) int {
	n := 0
	for _, m := range messages {
		n += EstimateTokens(m.Text)
	}
	return n
}
