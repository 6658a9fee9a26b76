package engine

import "tenure"

// erasedAtOnce bounds the compilations that are read and emptied at once.
const erasedAtOnce = 500

// NoCompilation is the error for a compilation that is not there.
func NoCompilation(id tenure.ID) error {
	return tenure.Errorf(tenure.NotFound, "there is no compilation %s", id)
}

// EraseCompilations empties the chosen ones of the compilations that list pages through, and returns how many.
func EraseCompilations(
	list func(after tenure.ID, limit int) ([]tenure.Compilation, error), empty func(ids []tenure.ID) error,
	chosen func(tenure.Compilation) bool,
) (erased int, err error) {
	for after := tenure.ID(""); ; {
		page, err := list(after, erasedAtOnce)
		if err != nil || len(page) == 0 {
			return erased, err
		}
		after = page[len(page)-1].ID
		var ids []tenure.ID
		for _, c := range page {
			if len(c.Body) > 0 && chosen(c) {
				ids = append(ids, c.ID)
			}
		}
		if len(ids) == 0 {
			continue
		}
		if err := empty(ids); err != nil {
			return erased, err
		}
		erased += len(ids)
	}
}
