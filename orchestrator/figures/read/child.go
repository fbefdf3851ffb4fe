package read

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"munshi/orchestrator/confine"
	"munshi/orchestrator/figures"
)

// ChildCommand is the hidden command with which a program that reads figures starts itself again to run Child.
const ChildCommand = "read-figures"

// refusal says why a file cannot be read: a problem code with an example of what is wrong.
type refusal struct {
	code    string
	example string
	cause   error
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (%s): %v", r.code, r.example, r.cause) }

func (r *refusal) Unwrap() error { return r.cause }

func refused(code string, cause error) error { return &refusal{code: code, cause: cause} }

// Child is the body of the hidden command that Options start. It reads the one file named by its job and returns the
// exit status of the process.
func Child() int {
	from := os.NewFile(ordersFile, "orders") // only one: a second would close the pipe when collected
	orders := json.NewDecoder(from)
	answers := json.NewEncoder(os.NewFile(answersFile, "answers"))
	answers.SetEscapeHTML(false)
	var j job
	if err := orders.Decode(&j); err != nil {
		fmt.Fprintln(os.Stderr, "read-figures is a part of Munshi that it starts by itself.")
		return 2
	}
	go func() {
		_, _ = io.Copy(io.Discard, from) // until the parent ends
		os.Exit(0)
	}()
	err := confine.Self(j.Memory, j.Unzip)
	if err == nil {
		err = confine.CPU(j.Time)
	}
	if err == nil {
		d := &decoder{job: j, answers: answers}
		if err = d.read(); err == nil {
			err = d.finish()
		}
	}
	if err == nil {
		return 0
	}
	a := answer{Failure: "figures_damaged", Detail: err.Error()}
	var why *refusal
	if errors.As(err, &why) {
		a.Failure, a.Example = why.code, why.example
	}
	_ = answers.Encode(a)
	return 1
}

// decoder reads one file and sends the records in batches as they are read.
type decoder struct {
	job     job
	answers *json.Encoder
	whole   whole
	batch   []figures.Record
	rows    int
}

// batchRows is the number of records in a batch.
const batchRows = 2000

func (d *decoder) record(r figures.Record) error {
	if d.rows++; d.rows > d.job.Rows {
		return refused("figures_too_much", fmt.Errorf("more than %d rows", d.job.Rows))
	}
	d.batch = append(d.batch, r)
	if len(d.batch) < batchRows {
		return nil
	}
	return d.flush()
}

func (d *decoder) flush() error {
	if len(d.batch) == 0 {
		return nil
	}
	err := d.answers.Encode(answer{Records: d.batch})
	d.batch = d.batch[:0]
	return err
}

func (d *decoder) finish() error {
	if err := d.flush(); err != nil {
		return err
	}
	return d.answers.Encode(answer{Whole: &d.whole})
}

// mostLeftOut is how many rows that were not read are listed.
const mostLeftOut = 200

func (d *decoder) leaveOut(sheet string, row int, why string) {
	if len(d.whole.File.LeftOut) < mostLeftOut {
		d.whole.File.LeftOut = append(d.whole.File.LeftOut, figures.LeftOut{Sheet: sheet, Row: row, Why: why})
	}
}

// doubt lists a row that was read although something is wrong in it, and adds a note that such rows exist.
func (d *decoder) doubt(sheet string, row int, why string) {
	d.note(why)
	if len(d.whole.File.Doubts) < mostLeftOut {
		d.whole.File.Doubts = append(d.whole.File.Doubts, figures.LeftOut{Sheet: sheet, Row: row, Why: why})
	}
}

func (d *decoder) note(code string) {
	for _, known := range d.whole.File.Notes {
		if known == code {
			return
		}
	}
	d.whole.File.Notes = append(d.whole.File.Notes, code)
}

// read detects the format from the first bytes: file names are wrong more often.
func (d *decoder) read() error {
	f, err := os.Open(d.job.Path)
	if err != nil {
		return fmt.Errorf("open the file: %w", err)
	}
	defer f.Close()
	start := make([]byte, 4096)
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("read the file's beginning: %w", err)
	}
	start = start[:n]
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read the file from its beginning: %w", err)
	}
	if d.job.Cells > 0 {
		return d.table(f, start)
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n")
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return d.zipped(f)
	case bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0")):
		return d.compound(f)
	case bytes.HasPrefix(start, []byte("%PDF")):
		return refused("figures_pdf", nil)
	case len(text) == 0:
		return refused("figures_empty", nil)
	case text[0] == '{' || text[0] == '[':
		return d.json(f)
	case text[0] == '<':
		return refused("figures_old_excel", errors.New("a page saved as a sheet"))
	}
	return d.csv(f, start)
}

// compound distinguishes an encrypted workbook from one in the format before 2007: both are compound files.
func (d *decoder) compound(f *os.File) error {
	stat, err := f.Stat()
	if err != nil {
		return fmt.Errorf("measure the file: %w", err)
	}
	content := make([]byte, min(stat.Size(), 8<<20))
	if _, err := io.ReadFull(f, content); err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	name := []byte{}
	for _, c := range utf16.Encode([]rune("EncryptedPackage")) {
		name = append(name, byte(c), byte(c>>8))
	}
	if bytes.Contains(content, name) {
		return refused("figures_password", nil)
	}
	return refused("figures_old_excel", nil)
}

// zipped reads a workbook, or a zip archive of JSON files from the portal.
func (d *decoder) zipped(f *os.File) error {
	stat, err := f.Stat()
	if err != nil {
		return fmt.Errorf("measure the file: %w", err)
	}
	archive, err := zip.NewReader(f, stat.Size())
	if err != nil {
		return fmt.Errorf("open the packed file: %w", err)
	}
	var unpacked uint64
	var inside []*zip.File
	workbook, openDocument, tables := false, false, 0
	for _, entry := range archive.File {
		if unpacked += entry.UncompressedSize64; unpacked > uint64(d.job.Unzip) ||
			entry.UncompressedSize64 > uint64(d.job.Unzip) {
			return refused("figures_too_much", fmt.Errorf("it unpacks to more than %d bytes", d.job.Unzip))
		}
		if entry.Flags&1 != 0 {
			return refused("figures_password", nil)
		}
		switch strings.ToLower(path.Base(strings.ReplaceAll(entry.Name, `\`, "/"))) {
		case "workbook.xml":
			workbook = true
		case "workbook.bin":
			return refused("figures_old_excel", errors.New(".xlsb"))
		case "vbaproject.bin":
			d.note("macros")
		}
		switch strings.ToLower(path.Ext(entry.Name)) {
		case ".json":
			inside = append(inside, entry)
		case ".xlsx", ".xlsm", ".xls", ".xlsb", ".csv", ".zip":
			tables++
		}
		openDocument = openDocument || entry.Name == "META-INF/manifest.xml"
	}
	if workbook {
		return d.excel(archive)
	}
	switch {
	case openDocument:
		return refused("figures_old_excel", errors.New(".ods"))
	case len(inside) == 0 && tables > 0:
		return refused("figures_packed", nil)
	case len(inside) == 0:
		return refused("figures_unknown", errors.New("a packed file without a workbook or JSON"))
	case tables > 0:
		d.note("not_unpacked")
	}
	for _, entry := range inside {
		content, err := entry.Open()
		if err != nil {
			return fmt.Errorf("unpack %s: %w", entry.Name, err)
		}
		err = d.json(io.LimitReader(content, d.job.Unzip))
		content.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// utf8Text converts text as saved by spreadsheet programs to UTF-8: UTF-16 with a byte order mark, UTF-8 with or
// without one, else the Windows code page, of which only the ASCII characters matter here.
func utf8Text(r io.Reader, start []byte) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}), bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("read the text: %w", err)
		}
		units := make([]uint16, 0, len(content)/2)
		for i := 2; i+1 < len(content); i += 2 {
			if content[0] == 0xff {
				units = append(units, uint16(content[i])|uint16(content[i+1])<<8)
			} else {
				units = append(units, uint16(content[i+1])|uint16(content[i])<<8)
			}
		}
		return strings.NewReader(string(utf16.Decode(units))), nil
	case bytes.HasPrefix(start, []byte("\ufeff")):
		if _, err := io.CopyN(io.Discard, r, 3); err != nil {
			return nil, fmt.Errorf("read the text: %w", err)
		}
	case bytes.IndexByte(start, 0) >= 0 || !utf8.Valid(start[:max(0, len(start)-4)]) && control(start):
		return nil, refused("figures_unknown", errors.New("neither text nor a workbook"))
	}
	return r, nil
}

// control reports whether bytes contain control characters that do not occur in text.
func control(b []byte) bool {
	return bytes.ContainsFunc(b, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\r' && r != '\n' && r != '\f'
	})
}
