package figures

import "strings"

// spelled is a document's number as it can be compared: letters and digits alone, in capitals, no zeros before a number.
type spelled struct {
	whole string
	tail  string // the last number in it that is no financial year; the whole where it has none
}

// spell makes "inv/2023-24/0012 " and "INV-2023-24-12" the same, and gives both the tail "12".
func spell(number string) spelled {
	var whole strings.Builder
	var runs []string // of digits, each with where the next begins
	upper := strings.ToUpper(number)
	for at := 0; at < len(upper); {
		c := upper[at]
		switch {
		case c >= '0' && c <= '9':
			end := at
			for end < len(upper) && upper[end] >= '0' && upper[end] <= '9' {
				end++
			}
			run := strings.TrimLeft(upper[at:end], "0")
			if run == "" {
				run = "0"
			}
			runs = append(runs, run)
			whole.WriteString(run)
			at = end
			if at < len(upper) && (upper[at] == '/' || upper[at] == '-' || upper[at] == ' ') {
				whole.WriteByte('.') // 1/12 is not 11/2
			}
		case c >= 'A' && c <= 'Z' || c >= 0x80:
			whole.WriteByte(c)
			at++
		default:
			at++
		}
	}
	s := spelled{whole: strings.TrimRight(whole.String(), ".")}
	s.tail = s.whole
	for i := len(runs) - 1; i >= 0; i-- {
		if i > 0 && isYear(runs[i-1], runs[i]) {
			i-- // "2023-24" at the end
			continue
		}
		s.tail = runs[i]
		break
	}
	return s
}

// isYear says whether two numbers side by side are a financial year: "2023", "24" or "23", "24".
func isYear(first, second string) bool {
	if len(second) == 4 && strings.HasPrefix(second, "20") {
		second = second[2:]
	}
	if len(first) == 4 && strings.HasPrefix(first, "20") {
		first = first[2:]
	}
	if len(first) != 2 || len(second) != 2 {
		return false
	}
	from, to := int(first[0]-'0')*10+int(first[1]-'0'), int(second[0]-'0')*10+int(second[1]-'0')
	return from >= 17 && to == from+1
}
