package view

import (
	"fmt"
	"slices"
	"testing"
)

// TestPagesAreFilledWithinABound checks that a page holds the kept items and reads no more than its bound.
func TestPagesAreFilledWithinABound(t *testing.T) {
	const all = 3 * maxScanned
	read := 0
	list := func(every int, p Page) Listing[int] {
		read = 0
		fetch := func(after string, n int) ([]int, error) {
			from := 0
			if after != "" {
				_, _ = fmt.Sscan(after, &from)
				from++
			}
			var part []int
			for i := from; i < min(from+n, all); i++ {
				part = append(part, i)
			}
			read += len(part)
			return part, nil
		}
		page, err := scan(p, fetch, func(i int) string { return fmt.Sprint(i) }, func(part []int) ([]*int, error) {
			kept := make([]*int, len(part))
			for i := range part {
				if part[i]%every == 0 {
					kept[i] = &part[i]
				}
			}
			return kept, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	for _, every := range []int{1, 3, 500, 2*maxScanned - 1} {
		var got []int
		for p := (Page{Limit: 7}); ; {
			page := list(every, p)
			if len(page.Items) > p.Limit || read > maxScanned+defaultLimit {
				t.Fatalf("every %d: %d items of %d read", every, len(page.Items), read)
			}
			got = append(got, page.Items...)
			if p.After = page.Last; !page.More {
				break
			}
		}
		if len(got) != (all+every-1)/every || !slices.IsSorted(got) || len(slices.Compact(got)) != len(got) {
			t.Errorf("every %d: %d items", every, len(got))
		}
	}
}
