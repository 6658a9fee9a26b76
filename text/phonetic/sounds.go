package phonetic

// A symbol stands for the sounds that a letter may have. Most symbols are one sound; a letter that is read in several
// ways, such as the Hebrew vav or the Latin c before e, is a symbol of its own with several readings.

// reading is a sound that a symbol may stand for, and what it costs to read it so.
type reading struct {
	sound byte
	cost  int
}

// Costs are in hundredths of a consonant that has no counterpart.
const (
	whole     = 100 // a consonant
	vowelCost = 35  // a vowel between two alphabets
	bareVowel = 12  // a vowel, where the other script leaves vowels unwritten
	weakCost  = 8   // a vowel inserted to spell two consonants, a silent letter
	softCost  = 35  // h, and r at the end of a syllable
	glideCost = 45  // w and y
	farVowel  = 24  // two vowels that are not alike
	anyVowel  = 12  // a vowel and one of unclear quality
)

// readings lists the symbols that are not a plain sound: pairs of a sound and a digit, the cost in units of 5.
var readings = map[byte]string{
	// Latin letters, as English, French, Spanish, German, Turkish, Pinyin and others read them
	'c': "s0k4C3S4z5",     // c before e and i
	'G': "J0g2x4Z1y4h4",   // g before e and i
	'j': "J0y1x3Z1h3",     //
	'H': "C0S1k2x1h4",     // ch
	'W': "w0v1u1b4",       //
	'V': "v0w3f1b3",       //
	'X': "S0s1z1x3",       // x at the start of a word
	'q': "k0C1g2",         // q without u
	'Q': "Z0J1",           // zh
	'R': "r0l4",           // r at the end of a syllable
	'E': "@0e2",           // e at the end of a word
	'+': "h0",             // a silent h
	'D': "d0T1z2",         // dh
	'K': "k0x1h3",         // kh
	'A': "g0h5x3",         // gh
	'Y': "y0l2J3i1",       // ll
	'F': "f0p3",           // ph
	'4': "s0z1t6S2",       // s
	'5': "z0s1Z3J4C4t5d4", // z, which is ts in German
	// g after n, which may be one sound with it
	1: "g0k2",
	// scripts of the East, which have fewer consonants
	'L':  "l0r0",         // l and r
	'B':  "b0v1w4p2",     // Japanese and Korean b
	'P':  "p0f0b2v3",     // Korean p
	'3':  "k1g0x5",       // Korean g
	'7':  "t1d0T2",       // Korean d
	'6':  "J0C2z0Z0d4",   // Korean j
	'M':  "S0s0T2C3",     // s before i
	'N':  "s0T1S2z3",     // Japanese and Korean s
	'I':  "z0J1Z1T2d4s3", // Japanese z and j
	'U':  "f0h1v3w3",     // Japanese fu
	'O':  "C0t1k5S4T3",   // Japanese chi
	'%':  "@0a2e2i2o2u2", // a vowel of unclear quality
	'l':  "l0r6",         //
	'!':  "l0r0",         // l that Korean families leave out
	'&':  "J0C1g1k2Z1d4y5z4",
	'$':  "C0k1J2g3t4",     // Chinese q
	'#':  "S0s1h3x3k5z3",   // Chinese x
	'?':  "h0x0k5f5g4w4",   // Chinese h
	'<':  "s0z0T2C4t5d5",   // Chinese z and c
	'>':  "w0v0u0o2b4f4",   // Chinese w
	'=':  "f0v1p2h4",       // Chinese f
	'(':  "b0p2v2w4",       // Chinese b
	')':  "p0b2f3",         // Chinese p
	'*':  "d0t2T3",         // Chinese d
	'/':  "t0d2T2",         // Chinese t
	'[':  "g0k2J4h4",       // Chinese g
	']':  "k0g2x2C5",       // Chinese k
	'{':  "r0l0Z1J4",       // Chinese r
	'}':  "Z0J0C2S3z3d4t5", // Chinese zh
	'\\': "l0r0n2",         // Thai l and r at the end
	// scripts that leave vowels unwritten
	'0':  "a0e0i1o1u1@0",   // alef, which may be any vowel
	'1':  "w0u0o0v0a5",     // vav and waw
	'2':  "y0i0e1a4J5",     // yod and ya
	'8':  "b0v0p5",         // bet
	'9':  "p0f0v4",         // pe
	'^':  "k0x0C5g4",       // kaf
	'_':  "S0s0C3",         // shin
	'~':  "b0p0v2",         // Arabic b
	'`':  "f0v0p2",         // Arabic f
	'\'': "J0g0Z0y5C3",     // jim
	',':  "x0h0k3C4",       // het and kha
	'.':  "k0g1x5C5q0",     // kaf, qaf
	':':  "d0z1T0",         // dhal, dad, za
	';':  "g0r4x4A0k4",     // ghain
	'|':  "a1e1i2o3u3@0h3", // ayin, he and ta marbuta
	'-':  "g0h0x3J3",       // Cyrillic g
	'"':  "T0s0t1S4",       // tha
}

// alike lists pairs of sounds that one ear or one spelling takes for the other, with the cost in hundredths.
var alike = map[string]int{
	"pb": 30, "bv": 30, "fv": 15, "pf": 40, "vw": 25, "bf": 60, "pv": 60, "bw": 60, "fw": 60, "hf": 60,
	"td": 30, "tT": 20, "dT": 25, "sT": 25, "zT": 35, "fT": 35,
	"sz": 12, "sS": 30, "zZ": 35, "zS": 50, "sC": 50, "sZ": 55, "zJ": 40, "sJ": 60, "zC": 55,
	"SC": 25, "SZ": 25, "CJ": 20, "ZJ": 10, "CZ": 35, "SJ": 40, "tC": 45, "dJ": 50, "tJ": 65, "ts": 65, "tS": 75,
	"dz": 60, "dZ": 70,
	"kg": 25, "kx": 30, "gx": 45, "hx": 12, "hk": 70, "hg": 60, "kC": 60, "gJ": 45, "xS": 60, "hS": 75,
	"lr": 45, "mn": 45, "Jy": 45, "gy": 70, "gw": 70, "Zy": 55, "ly": 70,
	"iy": 5, "ey": 15, "uw": 5, "ow": 15, "uv": 40, "ov": 60, "aw": 45, "ay": 40, "uy": 45,
	"@y": 15, "@w": 15, "@h": 20, "ah": 40,
	"ae": 15, "ao": 18, "ei": 12, "ou": 10, "au": 22, "eo": 22, "iu": 26, "ai": 24, "eu": 24, "io": 28,
	"a@": anyVowel, "e@": 8, "i@": 10, "o@": anyVowel, "u@": 10,
}

const vowels = "aeiou%E@0|"

// substitution and deletion hold the costs of every pair of symbols and of every symbol without a counterpart, the
// latter for a counterpart in an alphabet and for one in a script that leaves vowels unwritten.
var (
	substitution = substitutions()
	deletion     = [2][128]uint8{deletions(vowelCost), deletions(bareVowel)}
)

func substitutions() *[128][128]uint8 {
	var t [128][128]uint8
	for a := range byte(128) {
		for b := range byte(128) {
			t[a][b] = uint8(closestReading(readingsOf(a), readingsOf(b)))
		}
		t[a][a] = 0
	}
	return &t
}

func readingsOf(symbol byte) []reading {
	listed, ok := readings[symbol]
	if !ok {
		return []reading{{symbol, 0}}
	}
	var list []reading
	for i := 0; i < len(listed); i += 2 {
		list = append(list, reading{listed[i], 5 * int(listed[i+1]-'0')})
	}
	return list
}

func closestReading(as, bs []reading) int {
	best := 2 * whole
	for _, a := range as {
		for _, b := range bs {
			best = min(best, a.cost+b.cost+between(a.sound, b.sound))
		}
	}
	return best
}

// between returns the cost of taking one sound for another. Two sounds with nothing in common cost as much as leaving
// both out, which the alignment then does.
func between(a, b byte) int {
	if a == b {
		return 0
	}
	for _, pair := range [2]string{string([]byte{a, b}), string([]byte{b, a})} {
		if cost, ok := alike[pair]; ok {
			return cost
		}
	}
	if isVowel(a) && isVowel(b) {
		return farVowel
	}
	return 2 * whole
}

func isVowel(symbol byte) bool {
	for i := range len(vowels) {
		if vowels[i] == symbol {
			return true
		}
	}
	return false
}

func deletions(vowel uint8) [128]uint8 {
	var t [128]uint8
	for symbol := range byte(128) {
		switch symbol {
		case '@', 'E', '+', '0', '|', 1:
			t[symbol] = weakCost
		case '!':
			t[symbol] = weakCost
		case 'h', 'R', ',':
			t[symbol] = softCost
		case 'w', 'y', 'W', '1', '2', '>':
			t[symbol] = min(glideCost, vowel+10)
		default:
			t[symbol] = whole
			if isVowel(symbol) {
				t[symbol] = vowel
			}
		}
	}
	return t
}
