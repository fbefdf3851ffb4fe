package read

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// book is an Excel workbook. Its sheets are read from the packed file as they are, row by row: excelize decodes each
// cell with encoding/xml, which made four fifths of the time of reading a register.
type book struct {
	parts    map[string]*zip.File // by name, in lower case
	most     int64                // bytes that a part may unpack to
	sheets   []sheet
	shared   []string // texts that cells refer to
	from1904 bool     // serial numbers of days count from 1904, as some programs on a Mac have it
}

// sheet is a sheet of a workbook and the part that holds it.
type sheet struct {
	name, part string
	hidden     bool
}

// The limits of a sheet in Excel.
const (
	lastRow    = 1_048_576
	lastColumn = 16_384
)

// openBook reads what a workbook says about its sheets.
func openBook(archive *zip.Reader, most int64) (*book, error) {
	b := &book{parts: make(map[string]*zip.File, len(archive.File)), most: most}
	for _, f := range archive.File {
		b.parts[strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))] = f
	}
	at, err := b.related("", "")
	if err != nil {
		return nil, err
	}
	main := "xl/workbook.xml"
	for _, r := range at {
		if strings.HasSuffix(r.Type, "/officeDocument") {
			main = resolved("", r.Target)
		}
	}
	var top struct {
		Properties struct {
			From1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			State string     `xml:"state,attr"`
			Other []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := b.decode(main, &top); err != nil {
		return nil, err
	}
	b.from1904 = top.Properties.From1904 == "1" || top.Properties.From1904 == "true"
	relations, err := b.related(path.Dir(main), path.Base(main))
	if err != nil {
		return nil, err
	}
	for _, s := range top.Sheets {
		for _, a := range s.Other {
			if r, ok := relations[a.Value]; ok && a.Name.Local == "id" && strings.HasSuffix(r.Type, "/worksheet") {
				b.sheets = append(b.sheets, sheet{s.Name, resolved(path.Dir(main), r.Target), s.State != "" &&
					s.State != "visible"})
			}
		}
	}
	for _, r := range relations {
		if strings.HasSuffix(r.Type, "/sharedStrings") {
			if err := b.sharedTexts(resolved(path.Dir(main), r.Target)); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// relation is how one part of a workbook refers to another.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// related returns the relations of a part by their names; of the whole workbook if folder and name are "".
func (b *book) related(folder, name string) (map[string]relation, error) {
	var list struct {
		All []relation `xml:"Relationship"`
	}
	if err := b.decode(path.Join(folder, "_rels", name+".rels"), &list); err != nil {
		return nil, err
	}
	all := make(map[string]relation, len(list.All))
	for _, r := range list.All {
		all[r.ID] = r
	}
	return all, nil
}

// resolved returns the name of a part to which another in a folder refers.
func resolved(folder, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return path.Join(folder, target)
}

func (b *book) open(part string) (io.ReadCloser, error) {
	f, ok := b.parts[strings.ToLower(part)]
	if !ok {
		return nil, fmt.Errorf("the workbook has no part %s", part)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", part, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(r, b.most), r}, nil
}

func (b *book) decode(part string, into any) error {
	r, err := b.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := xml.NewDecoder(r).Decode(into); err != nil {
		return fmt.Errorf("decode %s: %w", part, err)
	}
	return nil
}

// sharedTexts reads the texts that cells refer to by their number. Of one text in several fonts the parts are joined;
// how Japanese is pronounced is left out.
func (b *book) sharedTexts(part string) error {
	r, err := b.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	x := newMarkup(r)
	var all strings.Builder
	var ends []int
	spoken := false
	for {
		err := x.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", part, err)
		}
		switch string(x.name) {
		case "t":
			if x.end && !spoken {
				all.Write(x.text)
			}
			x.keep = !x.end && !x.empty
		case "rPh":
			spoken = !x.end && !x.empty
		case "si":
			if x.end || x.empty {
				ends = append(ends, all.Len())
			}
		}
	}
	b.shared = make([]string, len(ends))
	from := 0
	for i, end := range ends {
		b.shared[i], from = plainText(all.String()[from:end]), end
	}
	return nil
}

// plainText resolves the way in which workbooks write control characters, "_x000D_".
func plainText(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "_x")
		if i < 0 || len(s) < i+7 {
			break
		}
		n, err := strconv.ParseUint(s[i+2:i+6], 16, 16)
		if err != nil || s[i+6] != '_' || !utf8.ValidRune(rune(n)) {
			b.WriteString(s[:i+2])
			s = s[i+2:]
			continue
		}
		b.WriteString(s[:i])
		b.WriteRune(rune(n))
		s = s[i+7:]
	}
	b.WriteString(s)
	return b.String()
}

// rows calls each with every row of a sheet that the file has, with its number from 1 and the first of its cells, at
// most many. The cells are as stored: days are serial numbers. computed is the number of cells with a formula and no
// result, which nobody has calculated yet. The cells are valid until each returns; the strings remain.
func (b *book) rows(part string, many int, each func(number int, cells []string) error) (computed int, err error) {
	r, err := b.open(part)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	w := &rowReader{markup: newMarkup(r), book: b, many: many}
	for {
		err := w.next()
		switch {
		case errors.Is(err, io.EOF):
			return w.computed, fmt.Errorf("the sheet %s breaks off", part)
		case err != nil:
			return w.computed, fmt.Errorf("read %s: %w", part, err)
		case string(w.name) == "sheetData" && (w.end || w.empty):
			return w.computed, nil
		case string(w.name) != "row":
			if err := w.inside(); err != nil {
				return w.computed, err
			}
			continue
		}
		if !w.end {
			if err := w.begin(); err != nil {
				return w.computed, err
			}
		}
		if w.end || w.empty {
			if err := each(w.row, w.cells()); err != nil {
				return w.computed, err
			}
		}
	}
}

// rowReader collects the cells of a row. Their texts lie one behind the other, so that a row needs one string.
type rowReader struct {
	*markup
	book     *book
	many     int
	computed int

	row, column int
	text        []byte
	ends        []int // of the cells so far
	list        []string

	value   []byte // of the current cell
	shared  bool   // value is the number of a shared text
	formula bool
	spoken  bool
}

func (w *rowReader) begin() error {
	w.row++
	if r := w.attr("r"); r != nil {
		n, err := strconv.Atoi(string(r))
		if err != nil || n < w.row || n > lastRow {
			return fmt.Errorf("row %s after row %d", r, w.row-1)
		}
		w.row = n
	}
	w.column, w.text, w.ends = 0, w.text[:0], w.ends[:0]
	return nil
}

// inside reads a tag between the rows' own.
func (w *rowReader) inside() error {
	switch string(w.name) {
	case "c":
		if !w.end {
			return w.beginCell()
		}
		w.endCell()
	case "v":
		if w.end {
			w.value = append(w.value[:0], w.markup.text...)
		}
		w.keep = !w.end && !w.empty
	case "t":
		if w.end && !w.spoken {
			w.value = append(w.value, plainText(string(w.markup.text))...)
		}
		w.keep = !w.end && !w.empty
	case "rPh":
		w.spoken = !w.end && !w.empty
	case "f":
		w.formula = true
	}
	return nil
}

func (w *rowReader) beginCell() error {
	w.column++
	if r := w.attr("r"); r != nil {
		n, ok := columnOf(r)
		if !ok || n > lastColumn {
			return fmt.Errorf("a cell at %q", r)
		}
		w.column = n
	}
	w.value, w.formula = w.value[:0], false
	w.shared = string(w.attr("t")) == "s"
	if w.empty {
		w.endCell()
	}
	return nil
}

func (w *rowReader) endCell() {
	if len(w.value) == 0 {
		if w.formula {
			w.computed++
		}
		return
	}
	if w.column > w.many || w.column <= len(w.ends) {
		return // beyond what is read, or a second cell in one place
	}
	for len(w.ends) < w.column-1 {
		w.ends = append(w.ends, len(w.text))
	}
	if !w.shared {
		w.text = append(w.text, w.value...)
	} else if n, err := strconv.Atoi(string(w.value)); err == nil && n >= 0 && n < len(w.book.shared) {
		w.text = append(w.text, w.book.shared[n]...)
	}
	w.ends = append(w.ends, len(w.text))
}

func (w *rowReader) cells() []string {
	all, from := string(w.text), 0
	w.list = w.list[:0]
	for _, end := range w.ends {
		w.list = append(w.list, all[from:end])
		from = end
	}
	w.ends, w.text = w.ends[:0], w.text[:0]
	return w.list
}

// columnOf returns the column of a cell such as "AB12", from 1.
func columnOf(cell []byte) (n int, ok bool) {
	for i, c := range cell {
		switch {
		case c >= 'A' && c <= 'Z':
			n = n*26 + int(c-'A') + 1
		case c >= 'a' && c <= 'z':
			n = n*26 + int(c-'a') + 1
		default:
			return n, i > 0
		}
		if i > 3 {
			return 0, false
		}
	}
	return n, false
}
