//go:build !linux

package torture

import "errors"

func limitFiles(int, int64) error {
	return errors.New("only Linux can bound the files of another process")
}
