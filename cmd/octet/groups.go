package main

import "github.com/spf13/cobra"

// The groups in which octet help lists the commands.
const (
	groupConvert = "convert"
	groupLook    = "look"
	groupCheck   = "check"
	groupFiles   = "files"
	groupOther   = "other"
)

// groups defines the groups, in the order of the list.
func groups(root *cobra.Command) {
	root.AddGroup(
		&cobra.Group{ID: groupConvert, Title: "Convert and rewrite:"},
		&cobra.Group{ID: groupLook, Title: "Look into a file:"},
		&cobra.Group{ID: groupCheck, Title: "Check and compare:"},
		&cobra.Group{ID: groupFiles, Title: "Work with other files:"},
		&cobra.Group{ID: groupOther, Title: "Other commands:"},
	)
	root.SetHelpCommandGroupID(groupOther)
	root.SetCompletionCommandGroupID(groupOther)
}
