package model

import "unicode"

// EstimateTokens tells about how many tokens a model counts in the text. It is
// made to err on the high side: a little for the tokenizers that cut numbers
// into single digits (Llama 2), about a third for OpenAI's on a notice, and far
// more for those that know Indian scripts well.
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
		case r <= unicode.MaxASCII: // digits, signs, line ends
			hundredths += 100
		case r <= 0xFFFF: // Devanagari and its neighbours: a token a letter, sometimes two
			hundredths += 160
		default:
			hundredths += 500
		}
	}
	return (hundredths + 99) / 100
}

// estimate counts the tokens of messages.
func estimate(messages []Message) int {
	n := 0
	for _, m := range messages {
		n += EstimateTokens(m.Text)
	}
	return n
}
