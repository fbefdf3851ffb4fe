package read

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"munshi/orchestrator/problem"
)

// Row is a row of a table file, with its number there, from 1.
type Row struct {
	Number int      `json:"n"`
	Cells  []string `json:"c"`
}

// Cells are the non-empty rows of a table file, as the file stores them: dates of a workbook are serial numbers.
type Cells struct {
	Sheet  string   // the name of the sheet that was read, the one with the most rows
	Others []string // sheets with rows that were not read
	Rows   []Row
}

// Limits on what is read of a row.
const (
	mostColumns = 60
	mostLetters = 1000 // of a cell
)

// Cells reads the rows of the Excel or CSV file at path, without asking what they contain. A file with more than most
// rows is refused. If something is wrong with a file, the error is a *problem.Error that says what to do; other
// errors are ours.
func (r *Reader) Cells(ctx context.Context, path, name string, most int) (Cells, error) {
	stat, err := os.Stat(path)
	switch {
	case err != nil || stat.IsDir():
		return Cells{}, problem.New("file_cannot_be_read", problem.Params{"file": name}, err)
	case stat.Size() == 0:
		return Cells{}, problem.New("table_empty", problem.Params{"file": name}, nil)
	case stat.Size() > r.options.MaxBytes:
		return Cells{}, problem.New("table_too_large", problem.Params{"file": name, "most": most}, nil)
	}
	folder, err := os.MkdirTemp("", "munshi-table-")
	if err != nil {
		return Cells{}, fmt.Errorf("make a folder to unpack %s in: %w", filepath.Base(path), err)
	}
	defer os.RemoveAll(folder)
	o := r.options
	ctx, cancel := context.WithTimeout(ctx, patience*o.Time)
	defer cancel()
	var cells Cells
	err = r.ask(ctx, job{Path: path, Name: name, Folder: folder, Unzip: o.MaxUnzip, Rows: o.MaxRows, Memory: o.Memory,
		Time: o.Time, Cells: most}, func(a answer) {
		cells.Rows = append(cells.Rows, a.Rows...)
		if a.Whole != nil {
			cells.Sheet, cells.Others = a.Whole.Sheet, a.Whole.Others
		}
	})
	var p *problem.Error
	if errors.As(err, &p) {
		// Messages about files of figures mention invoices, so others are used here.
		if said, known := map[string]string{"figures_damaged": "table_damaged", "figures_empty": "table_empty",
			"figures_old_excel": "figures_old_excel", "figures_password": "figures_password", "figures_pdf": "table_type",
			"figures_unknown": "table_type", "figures_too_much": "table_too_large"}[p.Code]; known {
			err = problem.New(said, problem.Params{"file": name, "most": most}, err)
		}
	}
	if err != nil {
		return Cells{}, err
	}
	if len(cells.Rows) == 0 {
		return Cells{}, problem.New("table_empty", problem.Params{"file": name}, nil)
	}
	return cells, nil
}

// table reads the rows of a file whose rows are wanted unchanged.
func (d *decoder) table(f *os.File, start []byte) error {
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return d.zipped(f)
	case bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0")):
		return d.compound(f)
	case bytes.HasPrefix(start, []byte("%PDF")):
		return refused("figures_pdf", nil)
	}
	text, err := utf8Text(f, start)
	if err != nil {
		return err
	}
	rows, err := textRows(text)
	if err != nil {
		return err
	}
	return d.rowsOf("", nil, func(add func(Row) error) error {
		for number := 1; ; number++ {
			cells, err := rows.Read()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return refused("figures_damaged", err)
			}
			if err := add(Row{number, cells}); err != nil {
				return err
			}
		}
	})
}

// textRows reads a text table, divided by commas, semicolons, tabs or bars.
func textRows(text io.Reader) (*csv.Reader, error) {
	buffered := bufio.NewReaderSize(text, 64<<10)
	head, err := buffered.Peek(16 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the text: %w", err)
	}
	rows := csv.NewReader(buffered)
	rows.FieldsPerRecord, rows.LazyQuotes = -1, true
	for _, mark := range []rune{'\t', ';', '|'} {
		if bytes.Count(head, []byte(string(mark))) > bytes.Count(head, []byte(string(rows.Comma))) {
			rows.Comma = mark
		}
	}
	return rows, nil
}

// workbookRows reads the sheet of a workbook that has the most rows.
func (d *decoder) workbookRows(b *book) error {
	best, most, others := "", 0, []string{}
	for _, sheet := range b.GetSheetList() {
		n := 0
		if err := b.rows(sheet, func(_ int, cells []string) error {
			if filled(cells) > 1 {
				n++
			}
			return nil
		}); err != nil {
			return damaged(err)
		}
		if n == 0 {
			continue
		}
		if n > most {
			if most > 0 {
				others = append(others, best)
			}
			best, most = sheet, n
		} else {
			others = append(others, sheet)
		}
	}
	if most == 0 {
		return refused("figures_empty", nil)
	}
	return d.rowsOf(best, others, func(add func(Row) error) error {
		err := b.rows(best, func(number int, cells []string) error { return add(Row{number, cells}) })
		if err != nil {
			return damaged(err)
		}
		return nil
	})
}

// rowsOf passes the rows on, without the empty ones.
func (d *decoder) rowsOf(sheet string, others []string, each func(add func(Row) error) error) error {
	count, batch := 0, []Row{}
	flush := func() error {
		err := d.answers.Encode(answer{Rows: batch})
		batch = batch[:0]
		return err
	}
	err := each(func(r Row) error {
		if filled(r.Cells) == 0 {
			return nil
		}
		if count++; count > d.job.Cells {
			return refused("figures_too_much", fmt.Errorf("more than %d rows", d.job.Cells))
		}
		cells := make([]string, min(len(r.Cells), mostColumns))
		for i := range cells {
			cells[i] = strings.ToValidUTF8(strings.TrimSpace(r.Cells[i]), "")
			if letters := []rune(cells[i]); len(letters) > mostLetters {
				cells[i] = string(letters[:mostLetters])
			}
		}
		batch = append(batch, Row{r.Number, cells})
		if len(batch) < batchRows {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	d.whole.Sheet, d.whole.Others = sheet, others
	return flush()
}
