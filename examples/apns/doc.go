// Package apns implements the binary interface of Apple's push notification service,
// which was retired on 31 March 2021. Apple's servers no longer support it; today's
// service uses HTTP/2. The package is an example of a protocol that is declared with
// package layout and served over TLS: messages, a client, a server and the feedback
// service.
//
// A provider connects with a client certificate and sends notifications. All numbers are big-endian:
//
//	command 0:  00 | u16 length | token | u16 length | payload
//	command 1:  01 | u32 identifier | u32 expiry | u16 length | token | u16 length | payload
//	command 2:  02 | u32 length | items            item: u8 id | u16 length | data
//	answer:     08 | u8 status | u32 identifier
//	feedback:   u32 time | u16 length | token
//
// # Acceptance
//
// The server answers only a notification that it refuses, and then closes the connection. No answer means accepted.
// The answer arrives while the provider is already sending later notifications. The server ignores these, so the provider
// sends them again on a new connection. Client does that: it keeps each notification until the notification is settled.
//
//   - An answer settles its notification, which was refused, and all earlier ones, which were accepted.
//   - The status Shutdown settles the notification that it names, which was accepted, too.
//   - Flush settles all of them. It sends a probe: a notification without a token, which the server must refuse.
//
// A connection may also break without an answer. The client then cannot know which notifications arrived, so it sends
// all that are not settled again, with the same identifiers. A server that must not deliver a notification twice
// recognizes the copy: see Once.
package apns
