// Package mqtt is a small client of MQTT 3.1.1. It is an example of a protocol whose packets package layout/formats
// declares: Connect, Publish with the three qualities of service, Subscribe, Unsubscribe, Ping and Close.
// It does not reconnect and keeps nothing on disk.
//
// The tests run a broker in the same process and exchange messages with it and with another client library.
package mqtt
