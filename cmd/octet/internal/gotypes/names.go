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

// goName returns an exported Go name for a key: user_id becomes UserID.
func goName(key string) string {
	var b strings.Builder
	for _, word := range words(key) {
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

// words splits a key at what is neither a letter nor a digit, and where a capital
// follows a small letter.
func words(key string) (list []string) {
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

// singular returns the name of one element of a list: Users becomes User.
func singular(name string) string {
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

// unique returns the name with a number if it is taken, and takes it.
func unique(name string, taken map[string]bool) string {
	for n, try := 2, name; ; n++ {
		if !taken[try] {
			taken[try] = true
			return try
		}
		try = name + strconv.Itoa(n)
	}
}

// Name returns an exported Go name for a text such as the name of a file.
func Name(text string) string { return goName(text) }
