package array

import "golang.org/x/sys/unix"

const canPopulate = true

// populatePages maps the pages of b, which begins at a page, as if each were
// read. A page that cannot be read is an error and not a fault.
func populatePages(b []byte) error { return advise(b, unix.MADV_POPULATE_READ) }

// dropPages unmaps the pages of b, which begins at a page. The next access maps
// them again.
func dropPages(b []byte) error { return advise(b, unix.MADV_DONTNEED) }

func advise(b []byte, advice int) error {
	for {
		if err := unix.Madvise(b, advice); err != unix.EINTR {
			return err
		}
	}
}
