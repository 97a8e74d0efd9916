// Package view renders MessagePack data as HTML for the inspector page: a tree, a
// hex grid, text, and explanations of single values. The page that octet page
// writes and the WebAssembly inside it use the same functions.
//
// Everything is rendered in parts, by number of row, so that the time does not
// depend on the size of the data.
package view
