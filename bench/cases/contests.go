package cases

import "github.com/octet-go/octet/bench/engine"

// Contests returns all contests. If the Go installation has no JSON test documents, it omits the contests on
// documents.
func Contests() ([]engine.Contest, error) {
	documents, err := documentContests()
	list := recordContests()
	list = append(list, singleContests()...)
	list = append(list, foreignContests()...)
	list = append(list, documents...)
	list = append(list, streamContests()...)
	list = append(list, partContests()...)
	list = append(list, fileContests()...)
	list = append(list, fixedContests()...)
	list = append(list, layoutContests()...)
	list = append(list, messageContests()...)
	list = append(list, arrayContests()...)
	list = append(list, bufferContests()...)
	list = append(list, growthContests()...)
	list = append(list, firstContests()...)
	for i := range list {
		if list[i].About == "" {
			list[i].About = aboutOf(list[i].Shape)
		}
	}
	return list, err
}
