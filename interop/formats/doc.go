// Package formats compares package formats with other implementations of the same
// formats: pcapng with gopacket and the captures of its tests, HTTP/2 with the Framer
// of golang.org/x/net, DNS with its dnsmessage, and MQTT with the packets of Eclipse
// Paho. It has only tests.
//
// The folder is a module and workspace of its own, so that the versions of those
// libraries concern nothing else:
//
//	cd interop/formats && go test ./...
package formats
