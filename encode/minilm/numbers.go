package minilm

import "math"

// The functions below use no operation of which machines have different roundings: no function of package math that is
// written in assembly, and no product that a compiler may join with a sum, since each is converted first. A vector is
// the same on all machines.

// exp returns e to the power of a number, for numbers up to 0 and to a precision of 1e-12.
func exp(x float64) float64 {
	const (
		high = 6.93147180369123816490e-01 // of the logarithm of 2
		low  = 1.90821492927058770002e-10
	)
	if x < -700 {
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + .5)
	r := x - float64(k*high) - float64(k*low)
	sum := 1.0
	for n := 12; n > 0; n-- {
		sum = 1 + float64(sum*r)/float64(n)
	}
	return sum * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// erf returns the error function, to a precision of 2e-7 (Abramowitz and Stegun, 7.1.26).
func erf(x float64) float64 {
	t := 1 / (1 + float64(.3275911*math.Abs(x)))
	sum := 0.0
	for _, a := range []float64{1.061405429, -1.453152027, 1.421413741, -.284496736, .254829592} {
		sum = float64((sum + a) * t)
	}
	return math.Copysign(1-float64(sum*exp(-float64(x*x))), x)
}

// gelu is tabulated: between two entries it is nearly straight.
const (
	geluRange = 8 // beyond, it is 0 or its argument
	geluSteps = 512
)

var geluTable = func() (table [2*geluRange*geluSteps + 2]float32) {
	for i := range table {
		x := float64(i)/geluSteps - geluRange
		table[i] = float32(float64(.5*x) * (1 + erf(float64(x*math.Sqrt2/2))))
	}
	return table
}()

func gelu(x float32) float32 {
	switch {
	case x <= -geluRange:
		return 0
	case x >= geluRange:
		return x
	}
	at := float32((x + geluRange) * geluSteps)
	i := int(at)
	return geluTable[i] + float32((at-float32(i))*float32(geluTable[i+1]-geluTable[i]))
}
