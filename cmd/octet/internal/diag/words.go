package diag

import "strings"

// digits returns the number of decimal digits at the start of text.
func digits(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// natural returns the length of the decimal number at the start of text, or 0. A
// number of several digits does not begin with 0.
func natural(text string) int {
	if n := digits(text); n == 1 || n > 1 && text[0] != '0' {
		return n
	}
	return 0
}

// isInteger reports whether word is an integer: decimal, or hex after 0x.
func isInteger(word string) bool {
	word = strings.TrimPrefix(word, "-")
	if hex, ok := strings.CutPrefix(word, "0x"); ok {
		return hex != "" && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
	}
	n := natural(word)
	return n > 0 && n == len(word)
}

// isDecimal reports whether word is a JSON number.
func isDecimal(word string) bool {
	word = strings.TrimPrefix(word, "-")
	n := natural(word)
	if n == 0 {
		return false
	}
	word = word[n:]
	if fraction, ok := strings.CutPrefix(word, "."); ok {
		if n = digits(fraction); n == 0 {
			return false
		}
		word = fraction[n:]
	}
	if word == "" {
		return true
	}
	if word[0] != 'e' && word[0] != 'E' {
		return false
	}
	word = word[1:]
	if word != "" && (word[0] == '-' || word[0] == '+') {
		word = word[1:]
	}
	n = digits(word)
	return n > 0 && n == len(word)
}

// isDate reports whether text has the form of RFC 3339, with at most nine digits
// of a second. It limits what time.Parse accepts, which drops further digits.
func isDate(text string) bool {
	const form = "0000-00-00T00:00:00"
	if len(text) <= len(form) || !hasForm(text[:len(form)], form) {
		return false
	}
	text = text[len(form):]
	if fraction, ok := strings.CutPrefix(text, "."); ok {
		n := digits(fraction)
		if n == 0 || n > 9 {
			return false
		}
		text = fraction[n:]
	}
	return text == "Z" || text == "z" || hasForm(text, "+00:00") || hasForm(text, "-00:00")
}

// hasForm reports whether text has a digit for each 0 of form, and is otherwise
// equal to it, in either case.
func hasForm(text, form string) bool {
	if len(text) != len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == '0' {
			if digits(text[i:i+1]) == 0 {
				return false
			}
		} else if !strings.EqualFold(text[i:i+1], form[i:i+1]) {
			return false
		}
	}
	return true
}
