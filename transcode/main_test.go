package transcode_test

import (
	"testing"

	"github.com/octet-go/octet/internal/memory"
)

func TestMain(m *testing.M) { memory.Main(m) }
