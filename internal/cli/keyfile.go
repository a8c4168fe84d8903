package cli

import (
	"errors"

	"consilience/reason"
)

// BadKey names the key file that an error is about; whatever is wrong in it, the
// reason is [reason.KeyInvalid].
func BadKey(file string, err error) error {
	var e *reason.Error
	if !errors.As(err, &e) {
		return reason.Wrap(reason.KeyInvalid, err, "not a key file").On(file)
	}
	bad := *e.On(file)
	bad.Code = reason.KeyInvalid
	return &bad
}
