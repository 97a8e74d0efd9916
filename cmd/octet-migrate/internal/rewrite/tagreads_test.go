package rewrite

import "testing"

// TestAboutTags tells names with the word tag from those that have its letters in another word.
func TestAboutTags(t *testing.T) {
	for _, name := range []string{"tag", "TagName", "structTag", "StructTag", "tag_key", "key_GetTags", "SetTAG", "tagged", "structtag", "JSONTag", "SetDBTags", "Tag2", "v2Tag"} {
		if !aboutTags(name) {
			t.Errorf("%s is not found", name)
		}
	}
	for _, name := range []string{"", "stage", "Percentage", "advantage_Of", "montageName", "vintage", "Stagger", "HTTPStage", "key"} {
		if aboutTags(name) {
			t.Errorf("%s is found", name)
		}
	}
}
