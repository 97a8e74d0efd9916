module github.com/octet-go/octet/integrations/echomsgpack

go 1.26.0

require (
	github.com/labstack/echo/v5 v5.3.1
	github.com/octet-go/octet v0.0.0
	github.com/octet-go/octet/integrations/httpmsgpack v0.0.0
)

require (
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)
