//go:build go1.21

package idempotency

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/internal/storage/memory"
)

// TestExchange exchanges responses that the middleware stores.
func TestExchange(t *testing.T) {
	const key = "00000000-0000-0000-0000-000000000000"
	for name, body := range map[string]string{"short": "b", "long": string(bytes.Repeat([]byte("body"), 30_000)), "empty": ""} {
		store := memory.New()
		app := fiber.New()
		app.Use(New(Config{Storage: store, KeepResponseHeaders: []string{"X-Kept"}}))
		app.Post("/", func(c fiber.Ctx) error {
			c.Set("X-Kept", "kept")
			return c.Status(http.StatusCreated).SendString(body)
		})
		post := func() (string, error) {
			r := httptest.NewRequest(http.MethodPost, "/", nil)
			r.Header.Set("X-Idempotency-Key", key)
			w, err := app.Test(r)
			if err != nil {
				return "", err
			}
			b, err := io.ReadAll(w.Body)
			return w.Status + w.Header.Get("X-Kept") + string(b), err
		}
		exchange(t, name, "201 Createdkept"+body, func(string) ([]byte, error) {
			if _, err := post(); err != nil {
				return nil, err
			}
			return store.Get(key)
		}, func(b []byte) (string, error) {
			body = "" // the handler is not called
			if err := store.Set(key, b, 0); err != nil {
				return "", err
			}
			return post()
		})
	}
}
