// Package read reads records, returns and ledgers from the files that the portal and accounting programs produce:
// JSON, Excel (.xlsx, .xlsm) and CSV. Files come from strangers, so each is read by a child process of our own binary
// that first limits its memory, time and writing. Macros are never run and formulas never computed: the values stored
// in the file count. Returns that the portal prints as PDF are read from their text, which another reader gives. The
// package keeps and changes no file.
package read

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"munshi/orchestrator/confine"
	"munshi/orchestrator/figures"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
)

// Options are the limits and tools of a Reader. A zero value takes the default.
type Options struct {
	Executable string        // the program to run as the child; default os.Executable()
	Args       []string      // the arguments with which Executable calls Child; default "read-figures"
	MaxBytes   int64         // of a file; default 100 MiB
	MaxUnzip   int64         // unpacked size of a file; default 1 GiB
	MaxRows    int           // in all tables of a file; default 1,000,000
	Memory     int64         // bytes of data the child may map; default 480 MiB, of which about 70 are never used
	Time       time.Duration // CPU time; default 60 s. On the clock it may take patience times as long
	Pages      Pages         // reads the text of PDFs; without it all PDFs are refused
}

const patience = 5

// Reader reads files within its Options. It is safe for concurrent use.
type Reader struct {
	options Options
	choices Choices
}

// Choosing returns a reader that uses the columns that a person assigned.
func (r *Reader) Choosing(choices Choices) *Reader {
	return &Reader{options: r.options, choices: choices}
}

// New returns a Reader.
func New(o Options) (*Reader, error) {
	if o.Executable == "" {
		path, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find our own executable: %w", err)
		}
		o.Executable = path
	}
	if o.Args == nil {
		o.Args = []string{ChildCommand}
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 100 << 20
	}
	if o.MaxUnzip <= 0 {
		o.MaxUnzip = 1 << 30
	}
	if o.MaxRows <= 0 {
		o.MaxRows = 1_000_000
	}
	if o.Memory <= 0 {
		o.Memory = 480 << 20
	}
	if o.Time <= 0 {
		o.Time = time.Minute
	}
	return &Reader{options: o}, nil
}

// The parent and the child exchange JSON values over two pipes. The parent sends a job. The child answers with
// batches of records and then the file without them, or with a problem code.
type (
	job struct {
		Path   string        `json:"path"`
		Name   string        `json:"name"` // the name that the person knows
		Folder string        `json:"folder"`
		Unzip  int64         `json:"unzip"`
		Rows   int           `json:"rows"`
		Memory int64         `json:"memory"`
		Time   time.Duration `json:"time"`
		// The columns that a person assigned.
		Choices Choices `json:"choices,omitempty"`
		// The highest number of rows that are wanted unchanged; 0 if the file is to be recognised.
		Cells int `json:"cells,omitempty"`
	}
	answer struct {
		Records []figures.Record `json:"records,omitempty"`
		Rows    []Row            `json:"rows,omitempty"`
		Whole   *whole           `json:"whole,omitempty"`
		Failure string           `json:"failure,omitempty"` // a problem code
		Example string           `json:"example,omitempty"`
		Detail  string           `json:"detail,omitempty"`
	}
	// whole is a file without its records.
	whole struct {
		File    figures.File     `json:"file"`
		Returns []figures.Return `json:"returns,omitempty"`
		Ledgers []figures.Ledger `json:"ledgers,omitempty"`
		Sheet   string           `json:"sheet,omitempty"`  // the sheet whose rows are returned
		Others  []string         `json:"others,omitempty"` // other sheets that have rows
	}
)

// The file descriptors of the child after the standard three.
const (
	ordersFile  = 3
	answersFile = 4
)

// Read reads the file at path. It calls rows, which may be nil, with the number of records read so far. If something
// is wrong with the file, it returns a *problem.Error that says what to do; any other error is a fault of ours.
func (r *Reader) Read(ctx context.Context, path string, rows func(int)) (figures.File, error) {
	name := filepath.Base(path)
	stat, err := os.Stat(path)
	switch {
	case err != nil || stat.IsDir():
		return figures.File{}, problem.New("file_cannot_be_read", problem.Params{"file": name}, err)
	case stat.Size() == 0:
		return figures.File{}, problem.New("figures_empty", problem.Params{"file": name}, nil)
	case stat.Size() > r.options.MaxBytes:
		return figures.File{}, problem.New("figures_too_much", problem.Params{"file": name}, nil)
	}
	if isPDF(path) {
		return r.print(ctx, path, name)
	}
	folder, err := os.MkdirTemp("", "munshi-figures-")
	if err != nil {
		return figures.File{}, fmt.Errorf("make a folder to unpack %s in: %w", name, err)
	}
	defer os.RemoveAll(folder)
	o := r.options
	ctx, cancel := context.WithTimeout(ctx, patience*o.Time)
	defer cancel()
	var file figures.File
	err = r.ask(ctx, job{Path: path, Name: name, Folder: folder, Unzip: o.MaxUnzip, Rows: o.MaxRows, Memory: o.Memory,
		Time: o.Time, Choices: r.choices}, func(a answer) {
		if a.Whole != nil {
			records := file.Records
			file = a.Whole.File
			file.Records, file.Returns, file.Ledgers = records, a.Whole.Returns, a.Whole.Ledgers
			return
		}
		file.Records = append(file.Records, a.Records...)
		if rows != nil {
			rows(len(file.Records))
		}
	})
	if err != nil {
		return figures.File{}, err
	}
	file.Name = name
	file.Records = merge(file.Records)
	file.Rows = len(file.Records)
	for _, of := range file.Returns {
		file.Rows += len(of.Tables)
	}
	for _, of := range file.Ledgers {
		file.Rows += len(of.Movements)
	}
	if file.Rows == 0 {
		return figures.File{}, problem.New("figures_empty", problem.Params{"file": name}, nil)
	}
	file.From, file.To = file.Months()
	return file, nil
}

// isPDF reports whether the file at path begins as a PDF does.
func isPDF(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 5)
	n, _ := io.ReadFull(f, start)
	return string(start[:n]) == "%PDF-"
}

// print reads a return printed by the portal.
func (r *Reader) print(ctx context.Context, path, name string) (figures.File, error) {
	if r.options.Pages == nil {
		return figures.File{}, problem.New("figures_pdf", problem.Params{"file": name}, nil)
	}
	pages, ok, err := r.options.Pages(ctx, path)
	if err != nil {
		var said *problem.Error
		if errors.As(err, &said) {
			return figures.File{}, problem.New(said.Code, problem.Params{"file": name}, err)
		}
		return figures.File{}, err
	}
	if !ok {
		return figures.File{}, problem.New("figures_pdf", problem.Params{"file": name}, errors.New("a scan"))
	}
	file, err := printed(pages)
	var why *refusal
	if errors.As(err, &why) {
		return figures.File{}, problem.New(why.code, problem.Params{"file": name}, why.cause)
	}
	if err != nil {
		return figures.File{}, err
	}
	file.Name = name
	for _, of := range file.Returns {
		file.Rows += len(of.Tables)
	}
	file.From, file.To = file.Months()
	return file, nil
}

// ask starts a child, sends it the job and passes on the answers.
func (r *Reader) ask(ctx context.Context, j job, take func(answer)) error {
	ordersIn, ordersOut, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("start a reader: %w", err)
	}
	defer ordersOut.Close()
	answersIn, answersOut, err := os.Pipe()
	if err != nil {
		ordersIn.Close()
		return fmt.Errorf("start a reader: %w", err)
	}
	defer answersIn.Close()
	var words confine.Tail
	cmd := exec.CommandContext(ctx, r.options.Executable, r.options.Args...)
	cmd.ExtraFiles = []*os.File{ordersIn, answersOut}
	cmd.Stdout, cmd.Stderr = &words, &words
	// The child gets nothing of our environment: no keys, no addresses.
	cmd.Env = []string{"GOMAXPROCS=2", "GOGC=100", "GOMEMLIMIT=256MiB", "GOTRACEBACK=none", "TMPDIR=" + j.Folder}
	cmd.SysProcAttr = confine.Attributes()
	cmd.WaitDelay = time.Second
	started, ended := make(chan error), make(chan error, 1)
	gone := make(chan struct{})
	go func() {
		// Linux ends the child when the thread that started it ends, so this thread has to live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		ordersIn.Close()
		answersOut.Close()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
			close(gone)
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start a reader: %w", err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		<-gone
	}()
	if err := json.NewEncoder(ordersOut).Encode(j); err != nil {
		return fmt.Errorf("give a reader its file: %w", err)
	}
	answers := json.NewDecoder(io.LimitReader(answersIn, 4*j.Unzip))
	for {
		var a answer
		if err := answers.Decode(&a); err != nil {
			_ = cmd.Process.Kill()
			return why(ctx, j.Name, <-ended, words.String(), err)
		}
		switch {
		case a.Failure != "":
			return problem.New(a.Failure, problem.Params{"file": j.Name, "example": a.Example},
				errors.New(a.Detail))
		case a.Whole != nil:
			take(a)
			return nil
		}
		take(a)
	}
}

// why returns the error for a child that gave no answer.
func why(ctx context.Context, name string, end error, words string, err error) error {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return context.Cause(ctx)
	case ctx.Err() != nil, errors.As(end, &exit) && exit.ExitCode() == confine.TooSlow, confine.OutOfMemory(words):
		return problem.New("figures_too_much", problem.Params{"file": name}, fmt.Errorf("%w: %s", err, words))
	}
	return problem.New("figures_damaged", problem.Params{"file": name},
		fmt.Errorf("the reader ended: %w: %s", errors.Join(end, err), words))
}

// merge adds up the lines of one document: registers and returns have one for each rate or item. Consecutive lines
// belong together. A line of the same document in another place is a further part of it, unless it is identical: then
// the document was booked twice, which the reconciliation finds.
func merge(records []figures.Record) []figures.Record {
	type document struct {
		figures.Source
		figures.Kind
		gstin, number, date, period, amends, voucher string
	}
	of := func(r *figures.Record) document {
		return document{r.Source, r.Kind, r.GSTIN, r.Number, r.Date, r.Period, r.Amends, r.Voucher}
	}
	at := make(map[document]int, len(records))
	merged := records[:0]
	var lines []figures.Record
	for i := 0; i < len(records); {
		block := records[i]
		k := of(&block)
		lines = append(lines[:0], block)
		for i++; i < len(records) && block.Kind != figures.Consumers && of(&records[i]) == k; i++ {
			block.Taxable += records[i].Taxable
			block.Tax = block.Tax.Plus(records[i].Tax)
			lines = append(lines, records[i])
		}
		block.Alike = repeated(lines)
		j, known := at[k]
		if !known || block.Kind == figures.Consumers ||
			merged[j].Tax == block.Tax && merged[j].Taxable == block.Taxable {
			at[k] = len(merged)
			merged = append(merged, block)
			continue
		}
		merged[j].Taxable += block.Taxable
		merged[j].Tax = merged[j].Tax.Plus(block.Tax)
		merged[j].Alike = 0
	}
	return slices.Clip(merged)
}

// repeated returns how often lines repeat themselves, amount by amount; 0 if they do not.
func repeated(lines []figures.Record) int {
	for period := 1; period <= len(lines)/2; period++ {
		same := len(lines)%period == 0
		for i := period; i < len(lines) && same; i++ {
			same = lines[i].Taxable == lines[i-period].Taxable && lines[i].Tax == lines[i-period].Tax
		}
		if same {
			return len(lines) / period
		}
	}
	return 0
}

// Check returns an error if a file does not belong to the taxpayer and the months of a notice; "" means not known.
func Check(f figures.File, gstin, from, to string) error {
	if gstin != "" && f.GSTIN != "" && f.GSTIN != gstin {
		return problem.New("figures_other_gstin", problem.Params{"file": f.Name, "found": f.GSTIN, "wanted": gstin},
			nil)
	}
	if from == "" {
		return nil
	}
	for i := range f.Records {
		r := &f.Records[i]
		if r.Source == figures.GSTR2B && len(r.Period) >= 7 && r.Period[:7] < first2B {
			return problem.New("figures_before_2b", problem.Params{"file": f.Name}, nil)
		}
	}
	first, last := f.Months()
	// The next year is useful: what was booked in March may be there.
	if end, err := time.Parse("2006-01", to); err == nil {
		to = end.AddDate(1, 0, 0).Format("2006-01")
	}
	if start, err := time.Parse("2006-01", from); err == nil {
		from = start.AddDate(0, -1, 0).Format("2006-01")
	}
	if first != "" && (first > to || last < from) {
		return problem.New("figures_other_period", problem.Params{"file": f.Name, "found": spanOf(first, last)}, nil)
	}
	return nil
}

// first2B is the first month for which credit is compared with GSTR-2B; before it, GSTR-2A is used.
const first2B = "2020-08"

// spanOf returns the months from first to last, each such as "2021-04", for a message.
func spanOf(first, last string) any {
	if first == last {
		return message.Month(first)
	}
	return message.New("span", message.Params{"from": message.Month(first), "to": message.Month(last)})
}
