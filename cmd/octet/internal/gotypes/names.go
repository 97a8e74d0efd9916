package gotypes

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are written in capitals in Go names.
var initialisms = map[string]bool{
	"acl": true, "api": true, "ascii": true, "cpu": true, "css": true, "db": true, "dns": true, "eof": true,
	"guid": true, "html": true, "http": true, "https": true, "id": true, "ip": true, "json": true, "os": true,
	"qps": true, "ram": true, "rpc": true, "sla": true, "smtp": true, "sql": true, "ssh": true, "tcp": true,
	"tls": true, "ttl": true, "udp": true, "ui": true, "uid": true, "uri": true, "url": true, "utf8": true,
	"uuid": true, "vm": true, "xml": true,
}

// Name returns an exported Go name for a text such as a key or the name of a file:
// user_id becomes UserID.
func Name(key string) string {
	var b strings.Builder
	for _, word := range Words(key) {
		if initialisms[strings.ToLower(word)] {
			b.WriteString(strings.ToUpper(word))
			continue
		}
		if lower := strings.ToLower(word); strings.HasSuffix(lower, "s") && initialisms[strings.TrimSuffix(lower, "s")] {
			b.WriteString(strings.ToUpper(word[:len(word)-1]) + "s") // IDs
			continue
		}
		r, size := utf8.DecodeRuneInString(word)
		b.WriteRune(unicode.ToUpper(r))
		b.WriteString(word[size:])
	}
	name := b.String()
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(r) {
		name = "X" + name // digits, and letters of scripts without capitals
	}
	return name
}

// Words splits a key at what is neither a letter nor a digit, and where a capital
// follows a small letter.
func Words(key string) (list []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			list = append(list, string(word))
			word = word[:0]
		}
	}
	for _, r := range key {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]):
			end()
		}
		word = append(word, r)
	}
	end()
	return list
}

// Singular returns the name of one element of a list: Users becomes User.
func Singular(name string) string {
	lower := strings.ToLower(name)
	switch {
	case strings.HasSuffix(lower, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(lower, "sses") || strings.HasSuffix(lower, "xes") || strings.HasSuffix(lower, "ches") || strings.HasSuffix(lower, "shes"):
		return name[:len(name)-2]
	case strings.HasSuffix(lower, "s") && !strings.HasSuffix(lower, "ss") && !strings.HasSuffix(lower, "us") && !strings.HasSuffix(lower, "is") && len(name) > 2:
		return name[:len(name)-1]
	}
	return name + "Item"
}

// Unique returns the name with a number if it is taken, and takes it.
func Unique(name string, taken map[string]bool) string {
	for n, try := 2, name; ; n++ {
		if !taken[try] {
			taken[try] = true
			return try
		}
		try = name + strconv.Itoa(n)
	}
}
