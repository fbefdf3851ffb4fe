package api

import "testing"

func TestAnswerLanguage(t *testing.T) {
	for header, want := range map[string]string{
		"": "en", "hi": "hi", "en": "en", "hi-IN,hi;q=0.9,en;q=0.8": "hi", "en-IN,en;q=0.9,hi;q=0.8": "en", "ta-IN": "en", "*": "en", ";;": "en",
	} {
		if got := answerLanguage(header); got != want {
			t.Errorf("%q asks for %s, want %s", header, got, want)
		}
	}
}
