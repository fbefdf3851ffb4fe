package billing_test

import (
	"testing"
	"time"

	"munshi/orchestrator/billing"
	"munshi/orchestrator/clock"
)

func TestRecordsKept(t *testing.T) {
	for paid, want := range map[string]string{"2026-11-22": "2033-12-31", "2027-03-31": "2033-12-31", "2027-04-01": "2034-12-31"} {
		day, err := time.ParseInLocation(time.DateOnly, paid, clock.India)
		must(t, err)
		if got := billing.RecordsKept(day); got != want {
			t.Errorf("paid on %s it is kept until %s, want %s", paid, got, want)
		}
		last, err := time.ParseInLocation(time.DateOnly, want, clock.India)
		must(t, err)
		if !billing.OldestRecords(last.Add(23*time.Hour)).Before(day.Add(time.Nanosecond)) || !billing.OldestRecords(last.AddDate(0, 0, 1)).After(day) {
			t.Errorf("paid on %s it is not forgotten right after %s", paid, want)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
