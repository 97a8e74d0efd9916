package cases

import (
	"fmt"
	"os/exec"
	"strings"
)

// Home returns the directory of this package, regardless of the current directory.
func Home() (string, error) {
	text, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/octet-go/octet/bench").Output()
	if err != nil {
		return "", fmt.Errorf("bench: go list: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}
