package sample

// Until would not end if its step were left out.
func Until(n int) int {
	i := 0
	for i != n {
		i += 1
	}
	return i
}
