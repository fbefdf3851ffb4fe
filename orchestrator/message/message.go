// Package message is what the program says to a person: a code and the values of its sentence, which every language's
// catalogue puts into words of its own. The catalogues, en.json and hi.json, stand beside the code; the web app formats
// from the same files, in i18next's format: {{name}} is a place, and a text with _one and _other has a plural form for
// its count. Text that comes as data (a row of a table of law, an operator's own) brings its languages along instead.
// Any room may import this package; it imports none.
package message

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Params are the values of a message, by the names of its places. A value is a string or a number, which stay as they
// are; another Message; a Date, Paise, a Citation or a List.
type Params map[string]any

// Message is a text that can be said in each language of the catalogues. Its zero value says nothing. In JSON it carries
// its English words too, for programs that do not know its code.
type Message struct {
	Code    string `json:"code,omitempty" doc:"Of the catalogues; left out for a text that is data"`
	Params  Params `json:"params,omitempty" doc:"The values of its places"`
	English string `json:"en" doc:"The words in English, for programs that do not know the code"`
	Hindi   string `json:"hi,omitempty" doc:"The words in Hindi of a text that is data"`
}

// Date is an ISO 8601 date, said as "12 August 2025".
type Date string

// Paise is a sum of money, said as "₹12,45,000".
type Paise int64

// Citation is the name of a provision in the notation of the tables, such as "CGST Act s.73(2)".
type Citation string

// List is several values, said one after another.
type List struct {
	Items []any
	By    string // what stands between them; "and" before the last where it is "and"
}

// New returns the message of a code of the catalogues.
func New(code string, params Params) Message {
	m := Message{Code: code, Params: params}
	m.English = m.in("en")
	return m
}

// Text returns a message that is data: its English, and its Hindi, "" where it has none.
func Text(english, hindi string) Message { return Message{English: english, Hindi: hindi} }

// Sentences returns messages as one, each after the other.
func Sentences(all ...Message) Message {
	var said []any
	for _, m := range all {
		if !m.IsZero() {
			said = append(said, m)
		}
	}
	switch len(said) {
	case 0:
		return Message{}
	case 1:
		return said[0].(Message)
	}
	return New("sentences", Params{"all": List{said, " "}})
}

// ListOf returns messages as a list.
func ListOf(by string, all []Message) List {
	items := make([]any, len(all))
	for i, m := range all {
		items[i] = m
	}
	return List{items, by}
}

// IsZero reports whether the message says nothing.
func (m Message) IsZero() bool { return m.Code == "" && m.English == "" && m.Hindi == "" }

// String returns the message in English.
func (m Message) String() string { return m.English }

// In returns the message in a language, "en" or "hi"; in English where the language has no words for it.
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
		pairs = append(pairs, "{{"+name+"}}", say(language, value))
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(text))
}

// say writes a value in a language.
func say(language string, value any) string {
	switch v := value.(type) {
	case Message:
		return v.In(language)
	case Date:
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

// In returns the date as it is said in a language, and what is none as it is.
func (d Date) In(language string) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return fmt.Sprintf("%d %s %d", t.Day(), catalogueOf(language)["months."+fmt.Sprint(int(t.Month()))], t.Year())
}

// String returns the sum in rupees with lakh and crore grouping, with paise where there are any.
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
		words[i] = say(language, item)
	}
	if last := len(words) - 1; l.By == "and" && last > 0 {
		return strings.Join(words[:last], ", ") + " " + catalogueOf(language)["and"] + " " + words[last]
	}
	return strings.Join(words, l.By)
}

// MarshalJSON writes the message with its English words; null for one that says nothing.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	type plain Message
	return json.Marshal(plain(m))
}

// UnmarshalJSON reads a message, and a plain string of an earlier version as its English words.
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

// MarshalJSON writes a date as {"date": …}.
func (d Date) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"date": string(d)})
}

// MarshalJSON writes a sum as {"paise": …}.
func (p Paise) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]int64{"paise": int64(p)})
}

// MarshalJSON writes a citation as {"cite": …}.
func (c Citation) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"cite": string(c)})
}

// MarshalJSON writes a list as {"list": …, "by": …}.
func (l List) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"list": l.Items, "by": l.By})
}

// readValue reads a value of a message.
func readValue(raw json.RawMessage) (any, error) {
	if string(raw) == "null" { // how a message without a code is written
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
