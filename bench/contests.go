package main

// contests returns all contests. If the Go installation has no JSON test documents, it omits the contests on
// documents.
func contests() ([]contest, error) {
	documents, err := documentContests()
	list := recordContests()
	list = append(list, singleContests()...)
	list = append(list, foreignContests()...)
	list = append(list, documents...)
	list = append(list, streamContests()...)
	list = append(list, fileContests()...)
	list = append(list, fixedContests()...)
	list = append(list, layoutContests()...)
	list = append(list, arrayContests()...)
	list = append(list, bufferContests()...)
	list = append(list, growthContests()...)
	list = append(list, firstContests()...)
	for i := range list {
		list[i].about = aboutOf(list[i].shape)
	}
	return list, err
}
