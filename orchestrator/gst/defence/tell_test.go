package defence

import (
	"testing"

	"munshi/orchestrator/gst/printed"
)

func TestWhatIsNotKnownIsNotTold(t *testing.T) {
	k := printed.Known{"order.days": {{Kind: printed.Count, Count: 9}}}
	for text, want := range map[string]string{
		"The law gives fifteen days. This one came after {order.days}.":     "The law gives fifteen days. This one came after 9.",
		"The law gives fifteen days. This one came after {detention.days}.": "The law gives fifteen days.",
		"When was it served? It came {detention.days} days later.":          "When was it served?",
		"कानून पंद्रह दिन देता है। यह {detention.days} दिन बाद आया।":        "कानून पंद्रह दिन देता है।",
	} {
		if got := tell(k, text, "en"); got != want {
			t.Errorf("tell(%q) = %q, want %q", text, got, want)
		}
	}
}
