// Package message defines what the program says to a person: a code and the values of its sentence, which the catalogue
// of each language turns into words. The catalogues, en.json and hi.json, are next to the code. The web app formats
// from the same files, in i18next's format: {{name}} is a placeholder, and a text with _one and _other has plural forms
// for its count. Text that is data (a row of a table of law, an operator's own) carries its translations with it
// instead. Any package may import this one; it imports none of ours.
package message

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Params are the values of a message, by the names of its placeholders. A value is a string or a number, which are
// shown unchanged; another Message; a Date, Month, Paise, Citation or List.
type Params map[string]any

// Message is a text that can be formatted in each language of the catalogues. Its zero value is an empty text. Its JSON
// includes the English text too, for programs that do not know the code.
type Message struct {
	Code    string `json:"code,omitempty" doc:"Of the catalogues; left out for a text that is data"`
	Params  Params `json:"params,omitempty" doc:"The values of its placeholders"`
	English string `json:"en" doc:"The words in English, for programs that do not know the code"`
	Hindi   string `json:"hi,omitempty" doc:"The words in Hindi of a text that is data"`
}

// Date is an ISO 8601 date, shown as "12 August 2025".
type Date string

// Month is a month such as "2025-08", shown as "August 2025".
type Month string

// Paise is an amount of money, shown as "₹12,45,000".
type Paise int64

// Citation is the name of a provision in the notation of the tables, such as "CGST Act s.73(2)".
type Citation string

// List is several values, shown one after another.
type List struct {
	Items []any
	By    string // the separator; "and" stands for commas, with the word "and" before the last value
}

// New returns the message with a code of the catalogues.
func New(code string, params Params) Message {
	m := Message{Code: code, Params: params}
	m.English = m.in("en")
	return m
}

// Text returns a message that is data: its English, and its Hindi, "" if it has none.
func Text(english, hindi string) Message { return Message{English: english, Hindi: hindi} }

// Sentences joins messages into one. Empty messages are left out.
func Sentences(all ...Message) Message {
	var parts []any
	for _, m := range all {
		if !m.IsZero() {
			parts = append(parts, m)
		}
	}
	switch len(parts) {
	case 0:
		return Message{}
	case 1:
		return parts[0].(Message)
	}
	return New("sentences", Params{"all": List{parts, " "}})
}

// ListOf returns messages as a list with a separator.
func ListOf(by string, all []Message) List {
	items := make([]any, len(all))
	for i, m := range all {
		items[i] = m
	}
	return List{items, by}
}

// IsZero reports whether the message is empty.
func (m Message) IsZero() bool { return m.Code == "" && m.English == "" && m.Hindi == "" }

// String returns the message in English.
func (m Message) String() string { return m.English }

// In returns the message in a language, "en" or "hi". It falls back to English if the language has no text for it.
func (m Message) In(language string) string {
	switch {
	case language == "en":
		return m.English
	case m.Code == "" && language == "hi" && m.Hindi != "":
		return m.Hindi
	case m.Code == "" || !Has(language, m.Code):
		return m.English
	}
	return m.in(language)
}

// in formats the message from the catalogue of a language.
func (m Message) in(language string) string {
	texts := catalogueOf(language)
	text, ok := texts[m.Code]
	if count, counted := m.Params["count"].(int); !ok && counted {
		text = texts[m.Code+"_"+pluralOf(language, count)]
	}
	pairs := make([]string, 0, 2*len(m.Params))
	for name, value := range m.Params {
		pairs = append(pairs, "{{"+name+"}}", format(language, value))
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(text))
}

// format returns a value as text in a language.
func format(language string, value any) string {
	switch v := value.(type) {
	case Message:
		return v.In(language)
	case Date:
		return v.In(language)
	case Month:
		return v.In(language)
	case Paise:
		return v.String()
	case Citation:
		return v.In(language)
	case List:
		return v.in(language)
	}
	return fmt.Sprint(value)
}

// In returns the date in a language. A value that is not a date is returned unchanged.
func (d Date) In(language string) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return fmt.Sprintf("%d %s", t.Day(), monthIn(language, t))
}

// In returns the month in a language. A value that is not a month is returned unchanged.
func (m Month) In(language string) string {
	t, err := time.Parse("2006-01", string(m))
	if err != nil {
		return string(m)
	}
	return monthIn(language, t)
}

func monthIn(language string, t time.Time) string {
	return fmt.Sprintf("%s %d", catalogueOf(language)["months."+fmt.Sprint(int(t.Month()))], t.Year())
}

// String returns the amount in rupees with lakh and crore grouping, and with paise if there are any.
func (p Paise) String() string {
	sign := ""
	if p < 0 {
		sign, p = "-", -p
	}
	digits := fmt.Sprint(int64(p) / 100)
	var groups []string
	for size := 3; len(digits) > size; size = 2 {
		groups = append([]string{digits[len(digits)-size:]}, groups...)
		digits = digits[:len(digits)-size]
	}
	text := sign + "₹" + strings.Join(append([]string{digits}, groups...), ",")
	if rest := p % 100; rest != 0 {
		text += fmt.Sprintf(".%02d", rest)
	}
	return text
}

func (l List) in(language string) string {
	words := make([]string, len(l.Items))
	for i, item := range l.Items {
		words[i] = format(language, item)
	}
	if last := len(words) - 1; l.By == "and" && last > 0 {
		return strings.Join(words[:last], ", ") + " " + catalogueOf(language)["and"] + " " + words[last]
	}
	return strings.Join(words, l.By)
}

// MarshalJSON encodes the message with its English text, and an empty message as null.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	type plain Message
	return json.Marshal(plain(m))
}

// UnmarshalJSON decodes a message. A plain string, as earlier versions stored it, becomes the English text.
func (m *Message) UnmarshalJSON(data []byte) error {
	*m = Message{}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &m.English)
	}
	var w struct {
		Code    string                     `json:"code"`
		English string                     `json:"en"`
		Hindi   string                     `json:"hi"`
		Params  map[string]json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("read a message: %w", err)
	}
	m.Code, m.English, m.Hindi = w.Code, w.English, w.Hindi
	for name, raw := range w.Params {
		value, err := readValue(raw)
		if err != nil {
			return err
		}
		if m.Params == nil {
			m.Params = Params{}
		}
		m.Params[name] = value
	}
	return nil
}

// MarshalJSON encodes a date as {"date": …}.
func (d Date) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"date": string(d)})
}

// MarshalJSON encodes a month as {"month": …}.
func (m Month) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"month": string(m)})
}

// MarshalJSON encodes an amount as {"paise": …}.
func (p Paise) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]int64{"paise": int64(p)})
}

// MarshalJSON encodes a citation as {"cite": …}.
func (c Citation) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"cite": string(c)})
}

// MarshalJSON encodes a list as {"list": …, "by": …}.
func (l List) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"list": l.Items, "by": l.By})
}

// readValue decodes a value of a message.
func readValue(raw json.RawMessage) (any, error) {
	if string(raw) == "null" { // an empty message
		return Message{}, nil
	}
	var number int
	if json.Unmarshal(raw, &number) == nil {
		return number, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var v struct {
		Date  *Date
		Month *Month
		Paise *int64
		Cite  *string
		List  []json.RawMessage
		By    string
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("read a value of a message: %w", err)
	}
	switch {
	case v.Date != nil:
		return *v.Date, nil
	case v.Month != nil:
		return *v.Month, nil
	case v.Paise != nil:
		return Paise(*v.Paise), nil
	case v.Cite != nil:
		return Citation(*v.Cite), nil
	case v.List != nil:
		l := List{By: v.By}
		for _, item := range v.List {
			value, err := readValue(item)
			if err != nil {
				return nil, err
			}
			l.Items = append(l.Items, value)
		}
		return l, nil
	}
	var m Message
	err := json.Unmarshal(raw, &m)
	return m, err
}
