package reply

import (
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
)

// writer is one reply being written.
type writer struct {
	law     *law.Tables
	given   Given
	form    Form
	section string // that the notice proceeds under: "73", "74", "74A" or ""
	points  []Point
}

func newWriter(t *law.Tables, g Given) *writer {
	w := &writer{law: t, given: g, form: FormOf(t, g.Facts, g.Reckoning), points: Points(t, g.Facts)}
	w.section, _ = reckon.ProceedsUnder(g.Facts)
	return w
}

func (w *writer) cause() string                         { return "# " + w.form.Title }
func (w *writer) briefFacts(mark string) string         { return mark }
func (w *writer) preliminary(mark string) string        { return mark }
func (w *writer) paragraph(mark string, p Point) string { return mark + p.Key }
func (w *writer) grounds(mark string) string            { return mark }
func (w *writer) computation(mark string) string        { return mark }
func (w *writer) alternative(mark string) string        { return mark }
func (w *writer) hearing(mark string) string            { return mark }
func (w *writer) prayer(mark string) string             { return mark }
func (w *writer) verification() string                  { return "v" }
func (w *writer) annexures() string                     { return "a" }
