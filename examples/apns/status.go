package apns

import "fmt"

// Status says why the server refuses a notification.
type Status uint8

// The statuses of the protocol.
const (
	OK               Status = 0
	ProcessingError  Status = 1
	MissingToken     Status = 2
	MissingTopic     Status = 3
	MissingPayload   Status = 4
	WrongTokenSize   Status = 5
	WrongTopicSize   Status = 6
	WrongPayloadSize Status = 7
	InvalidToken     Status = 8
	Shutdown         Status = 10
	Unknown          Status = 255
)

// String returns the meaning of s.
func (s Status) String() string {
	switch s {
	case OK:
		return "no error"
	case ProcessingError:
		return "processing error"
	case MissingToken:
		return "missing device token"
	case MissingTopic:
		return "missing topic"
	case MissingPayload:
		return "missing payload"
	case WrongTokenSize:
		return "wrong token size"
	case WrongTopicSize:
		return "wrong topic size"
	case WrongPayloadSize:
		return "wrong payload size"
	case InvalidToken:
		return "invalid token"
	case Shutdown:
		return "shutdown"
	case Unknown:
		return "unknown error"
	}
	return fmt.Sprintf("status %d", uint8(s))
}

// RefusedError is the error of a notification that the server refuses.
type RefusedError struct {
	Status     Status
	Identifier uint32 // 0 if the message has none
	Cause      error  // the detail that the server found, or nil
}

// Error returns the status, the identifier and the cause.
func (e *RefusedError) Error() string {
	text := fmt.Sprintf("apns: notification %d refused: %v", e.Identifier, e.Status)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Cause }
