package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"
	"github.com/octet-go/octet/integrations/ginmsgpack"
)

type Point struct {
	X int `json:"x" form:"x" msgpack:"x" binding:"max=100"`
	Y int `json:"y" form:"y" msgpack:"y"`
}

func newRouter() *gin.Engine {
	gin.SetMode(gin.TestMode)
	return gin.New()
}

func main() {
	router := newRouter()
	router.GET("/", func(c *gin.Context) { ginmsgpack.Respond(c, http.StatusOK, Point{5, 6}) })
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept", "application/vnd.msgpack")
	w := httptest.NewRecorder()
	router.ServeHTTP(w, r)
	fmt.Printf("%s %q\n", w.Header().Get("Content-Type"), w.Body)
}
