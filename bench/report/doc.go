// Package report shows results: as tables in a terminal and in Markdown, as charts, as one HTML page, and as the
// figures in the README and the other pages of the repository.
package report
