package echomsgpack_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/octet-go/octet/integrations/echomsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/internal/webtest"
)

// BenchmarkExchange binds a request and answers it with the same value, without a network.
func BenchmarkExchange(b *testing.B) {
	e := echo.New()
	e.POST("/json", func(c *echo.Context) error {
		var o sample.Order
		if err := c.Bind(&o); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, o)
	})
	e.POST("/octet", func(c *echo.Context) error {
		var o sample.Order
		if err := (echomsgpack.Binder{}).Bind(c, &o); err != nil {
			return err
		}
		return echomsgpack.Respond(c, http.StatusOK, o)
	})
	webtest.Benchmark(b, e, sample.New(90071, 12), "octet", "json")
}
