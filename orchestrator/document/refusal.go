package document

import (
	"fmt"
	"strconv"
)

// Code names why a file is refused.
type Code string

// The reasons for refusing a file.
const (
	NotPDF        Code = "not_pdf"
	Empty         Code = "empty"
	Encrypted     Code = "encrypted" // needs a password to open; one that only limits printing or copying does not matter
	Damaged       Code = "damaged"
	NoPages       Code = "no_pages"
	TooLarge      Code = "too_large"
	TooManyPages  Code = "too_many_pages"
	TooSlow       Code = "too_slow"
	TooMuchMemory Code = "too_much_memory"
)

// Refusal is the error of a file that cannot or may not be read. It stays the
// same however often it is tried, unless the limits change.
type Refusal struct {
	Code         Code
	Found, Limit int64  // bytes or pages, where the code is about a limit
	Detail       string // for the log: not fit to show
}

func (r *Refusal) Error() string {
	if r.Detail == "" {
		return "document refused: " + string(r.Code)
	}
	return "document refused: " + string(r.Code) + ": " + r.Detail
}

// Sentence says in plain English what is wrong with the file and what to do about it.
func (r *Refusal) Sentence() string {
	switch r.Code {
	case NotPDF:
		return "This file is not a PDF. Please upload a PDF file."
	case Empty:
		return "This file is empty. Please check it and upload it again."
	case Encrypted:
		return "This PDF is locked with a password. Please upload a copy that opens without one."
	case NoPages:
		return "This PDF has no pages. Please check it and upload it again."
	case TooLarge:
		return fmt.Sprintf("This PDF has %s MB; the limit is %s MB. Please upload a smaller copy, or the notice without its enclosures.", megabytes(r.Found), megabytes(r.Limit))
	case TooManyPages:
		return fmt.Sprintf("This PDF has %d pages; the limit is %d. Please upload the notice without its enclosures.", r.Found, r.Limit)
	case TooSlow:
		return "This PDF takes too long to read. Please print it to a new PDF, or scan it, and upload that."
	case TooMuchMemory:
		return "This PDF needs too much memory to read. Please print it to a new PDF, or scan it, and upload that."
	default:
		return "This PDF is damaged and cannot be read. Please download or scan it again, and upload the new copy."
	}
}

// megabytes rounds up to a tenth, so that a file over the limit never seems to be within it.
func megabytes(bytes int64) string {
	tenths := (bytes*10 + 1<<20 - 1) >> 20
	return strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64)
}
