package read

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// book is an Excel workbook. Its sheets are read row by row.
type book struct {
	*excelize.File
	ends     map[int]bool // the last row of each sheet, according to the packed file
	computed int          // cells with a formula but no result, because no program has calculated it yet
	from1904 bool         // serial numbers of days count from 1904, as some programs on a Mac have it
}

// inMemory is the size up to which sheets, and the texts that cells refer to, are unpacked into memory. Larger ones
// become files in the job's folder, which the parent removes.
const inMemory = 4 << 20

func (d *decoder) openBook(archive *zip.Reader) (*book, error) {
	b := &book{ends: map[int]bool{}}
	if err := b.survey(archive); err != nil {
		return nil, err
	}
	var err error
	if b.File, err = excelize.OpenFile(d.job.Path, excelize.Options{RawCellValue: true, UnzipSizeLimit: d.job.Unzip,
		UnzipXMLSizeLimit: min(inMemory, d.job.Unzip), TmpDir: d.job.Folder}); err != nil {
		return nil, fmt.Errorf("open the workbook: %w", err)
	}
	properties, err := b.GetWorkbookProps()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the workbook's properties: %w", err), b.Close())
	}
	b.from1904 = properties.Date1904 != nil && *properties.Date1904
	return b, nil
}

// rows calls each with every row of a sheet and its number, from 1. The cells are as stored: days are serial numbers.
func (b *book) rows(sheet string, each func(number int, cells []string) error) error {
	rows, err := b.Rows(sheet)
	if err != nil {
		return nil //nolint:nilerr // a chart has no rows
	}
	defer rows.Close()
	number := 0
	for rows.Next() {
		number++
		cells, err := rows.Columns()
		if err != nil {
			return fmt.Errorf("read row %d of %s: %w", number, sheet, err)
		}
		if err := each(number, cells); err != nil {
			return err
		}
	}
	switch err := rows.Error(); {
	case err != nil:
		return fmt.Errorf("read %s: %w", sheet, err)
	case number > 0 && !b.ends[number]:
		return fmt.Errorf("%s cannot be read beyond row %d", sheet, number)
	}
	return nil
}

// survey finds what excelize does not report: where each sheet ends, since one with a fault in the middle seems to
// end there, and how many formulas have no result.
func (b *book) survey(archive *zip.Reader) error {
	for _, part := range archive.File {
		if !strings.EqualFold(path.Ext(part.Name), ".xml") {
			continue
		}
		r, err := part.Open()
		if err != nil {
			return fmt.Errorf("unpack %s: %w", part.Name, err)
		}
		err = b.tags(r)
		r.Close()
		if err != nil {
			return fmt.Errorf("read %s: %w", part.Name, err)
		}
	}
	return nil
}

// mostTag is the length of the longest tag of a sheet, with the text before it.
const mostTag = 1 << 20

// tags calls a function for each tag of a part.
func (b *book) tags(part io.Reader) error {
	tags := bufio.NewScanner(part)
	tags.Buffer(nil, mostTag)
	tags.Split(func(data []byte, _ bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '>'); i >= 0 {
			return i + 1, data[:i], nil
		}
		return 0, nil, nil
	})
	last, open, formula, result := 0, false, false, false
	for tags.Scan() {
		text, tag, _ := bytes.Cut(tags.Bytes(), []byte("<"))
		tag, ends := bytes.CutPrefix(tag, []byte("/"))
		tag, empty := bytes.CutSuffix(tag, []byte("/"))
		name, attributes, _ := bytes.Cut(tag, []byte(" "))
		switch string(name[bytes.IndexByte(name, ':')+1:]) {
		case "sheetData":
			if open = !ends && !empty; !open {
				b.ends[last] = true
			}
		case "row":
			if !ends {
				last = rowOf(attributes, last+1)
			}
		case "c":
			if ends && formula && !result {
				b.computed++
			}
			formula, result = false, false
		case "f":
			formula = true
		case "v", "t":
			result = result || ends && len(text) > 0
		}
	}
	if open {
		return fmt.Errorf("it breaks off after row %d: %w", last, cmp.Or(tags.Err(), io.ErrUnexpectedEOF))
	}
	return nil
}

// rowOf returns the number in a row's attributes, or else the next number.
func rowOf(attributes []byte, next int) int {
	_, value, _ := bytes.Cut(append([]byte(" "), attributes...), []byte(` r="`))
	value, _, _ = bytes.Cut(value, []byte(`"`))
	if n, err := strconv.Atoi(string(value)); err == nil {
		return n
	}
	return next
}
