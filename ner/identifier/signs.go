package identifier

// signs tells which kinds of bytes a raw token holds.
type signs uint16

const (
	digit signs = 1 << iota
	upper
	at
	dot
	point // a dot or a colon
	slash
	hyphen
	underscore
	sharp
	backslash
)

// joins are the signs that a plain word has none of.
const joins = at | point | slash | hyphen | underscore | sharp | backslash

// bytesOf holds what each byte is, for one look at each byte of a text.
var bytesOf = func() (table [256]struct {
	signs     signs
	separates bool // raw tokens end before it
}) {
	for c := range table {
		table[c].separates = c <= ' '
	}
	for _, c := range []byte("\"'`()[]{}<>,;|=!?*") {
		table[c].separates = true
	}
	for c := byte('0'); c <= '9'; c++ {
		table[c].signs = digit
	}
	for c := byte('A'); c <= 'Z'; c++ {
		table[c].signs = upper
	}
	for c, s := range map[byte]signs{
		'@': at, '.': dot | point, ':': point, '/': slash, '-': hyphen, '_': underscore, '#': sharp, '\\': backslash,
	} {
		table[c].signs = s
	}
	return table
}()

func separates(c byte) bool { return bytesOf[c].separates }

func signsOf(s string) signs {
	all := signs(0)
	for i := range len(s) {
		all |= bytesOf[s[i]].signs
	}
	return all
}
