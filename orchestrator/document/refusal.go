package document

import (
	"strconv"

	"munshi/orchestrator/problem"
)

// Code is the reason why a file is refused.
type Code string

// The reasons for refusing a file.
const (
	NotPDF Code = "not_pdf"
	Empty  Code = "empty"
	// Encrypted is a file that needs a password to open. A password that only limits printing or copying does not
	// matter.
	Encrypted     Code = "encrypted"
	Damaged       Code = "damaged"
	NoPages       Code = "no_pages"
	TooLarge      Code = "too_large"
	TooManyPages  Code = "too_many_pages"
	TooSlow       Code = "too_slow"
	TooMuchMemory Code = "too_much_memory"

	TooManyPixels      Code = "too_many_pixels" // of a photograph
	TooManyPhotographs Code = "too_many_photographs"
)

// Refusal is the error for a file that cannot or must not be read. It stays the same however often it is tried,
// unless the limits change.
type Refusal struct {
	Code         Code
	Found, Limit int64  // bytes, pages, megapixels or photographs, if the code is about a limit
	Detail       string // for the log only
	Photograph   int    // which of several photographs, from 1; 0 for a PDF
}

func (r *Refusal) Error() string {
	if r.Detail == "" {
		return "document refused: " + string(r.Code)
	}
	return "document refused: " + string(r.Code) + ": " + r.Detail
}

// Problem returns the refusal as a message for the user: what is wrong with the file and what to do about it.
func (r *Refusal) Problem() *problem.Error {
	params := problem.Params{}
	code := string(r.Code)
	switch r.Code {
	case TooLarge:
		params["found"], params["limit"] = megabytes(r.Found), megabytes(r.Limit)
	case TooManyPages, TooManyPixels, TooManyPhotographs:
		params["found"], params["limit"] = r.Found, r.Limit
	}
	if r.Photograph > 0 {
		params["number"] = r.Photograph
		if of, ok := map[Code]string{
			NotPDF: "not_pdf.photograph", Damaged: "damaged.photograph", Empty: "empty.photograph",
			TooLarge: "too_large.photograph",
			TooSlow:  "too_slow.photograph", TooMuchMemory: "too_much_memory.photograph",
		}[r.Code]; ok {
			code = of
		}
	}
	return problem.New(code, params, r)
}

// As lets errors.As find the Problem of a refusal.
func (r *Refusal) As(target any) bool {
	p, ok := target.(**problem.Error)
	if ok {
		*p = r.Problem()
	}
	return ok
}

// megabytes rounds up to a tenth, so that a file over the limit never appears to be within it.
func megabytes(bytes int64) string {
	tenths := (bytes*10 + 1<<20 - 1) >> 20
	return strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64)
}
