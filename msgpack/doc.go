// Package msgpack turns Go values into MessagePack and back.
package msgpack
