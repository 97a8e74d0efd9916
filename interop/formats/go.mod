module github.com/octet-go/octet/interop/formats

go 1.26.0

require (
	github.com/eclipse/paho.mqtt.golang v1.5.1
	github.com/gopacket/gopacket v1.7.7
	github.com/octet-go/octet v0.0.0
	github.com/octet-go/octet/layout/formats v0.0.0
	golang.org/x/net v0.62.0
)

require (
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
