package array

import "golang.org/x/sys/unix"

const canPopulate = true

// populatePages maps the pages of b, which begins at a page, as if each were
// read. A page that cannot be read is an error and not a fault.
func populatePages(b []byte) error {
	for {
		if err := unix.Madvise(b, unix.MADV_POPULATE_READ); err != unix.EINTR {
			return err
		}
	}
}
