package rewrite_test

import (
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
)

func TestMain(m *testing.M) { heaptest.Main(m) }
