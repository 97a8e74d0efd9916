// Package transcode converts JSON text to MessagePack and back.
package transcode
