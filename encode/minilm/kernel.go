package minilm

// step is the number of rows of x that are multiplied together, and block divides the length of a row.
const (
	step  = 4
	block = 16
)

// multiply writes the products of each row of w with each row of x, both of n numbers: out[r*rows(w)+o] is that of row
// r of x with row o of w. The rows of x are a multiple of step, those of w are even. Whole numbers have one sum, in
// whatever order they are added, so that both ways have the same result.
func multiply(w []int8, x []int16, n int, out []int32, fast bool) {
	outputs := len(w) / n
	for o := 0; o < outputs; o += 2 {
		two := w[o*n : (o+2)*n]
		for r := 0; r < len(x)/n; r += step {
			var p [2 * step]int32
			if fast {
				products8(&two[0], &x[r*n], n, &p[0])
			} else {
				slowProducts8(two, x[r*n:(r+step)*n], n, &p)
			}
			for i := range step {
				at := (r+i)*outputs + o
				out[at], out[at+1] = p[i], p[step+i]
			}
		}
	}
}

// slowProducts8 is products8 in Go.
func slowProducts8(w []int8, x []int16, n int, p *[2 * step]int32) {
	w0, w1 := w[:n], w[n:2*n]
	x0, x1, x2, x3 := x[:n], x[n:2*n], x[2*n:3*n], x[3*n:4*n]
	var a0, a1, a2, a3, b0, b1, b2, b3 int32
	for j := range n {
		u, v := int32(w0[j]), int32(w1[j])
		a0 += u * int32(x0[j])
		a1 += u * int32(x1[j])
		a2 += u * int32(x2[j])
		a3 += u * int32(x3[j])
		b0 += v * int32(x0[j])
		b1 += v * int32(x1[j])
		b2 += v * int32(x2[j])
		b3 += v * int32(x3[j])
	}
	*p = [2 * step]int32{a0, a1, a2, a3, b0, b1, b2, b3}
}
