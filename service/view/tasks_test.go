package view

import "testing"

func TestMergeTasksPassesOverSettledPage(t *testing.T) {
	settled := queue{page: Listing[Waiting]{More: true, Last: "9"}}
	kept := queue{page: Listing[Waiting]{Items: []Waiting{{Case: &Case{Priority: 1}}, {Case: &Case{Priority: .5}}}}}
	if got := mergeTasks([]queue{kept, {}, settled}, 1); len(got.Items) != 1 || !got.More {
		t.Errorf("%d items, more %t: want one case, and more", len(got.Items), got.More)
	}
}
