package main

import (
	"strings"
	"testing"
)

func TestSummarise(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    string
		last  string
		good  bool
		holds []string
		hides []string
	}{
		{
			name: "subtests-count-and-their-parent-does-not",
			in: `{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"run","Package":"a","Test":"TestX/one"}
{"Action":"output","Package":"a","Test":"TestX/one","Output":"quiet\n"}
{"Action":"pass","Package":"a","Test":"TestX/one"}
{"Action":"run","Package":"a","Test":"TestX/two/2"}
{"Action":"pass","Package":"a","Test":"TestX/two/2"}
{"Action":"pass","Package":"a","Test":"TestX"}
{"Action":"pass","Package":"a","Elapsed":1.5}
`,
			last: "2 passed, 0 failed, 0 skipped", good: true,
			holds: []string{"1 packages passed, the slowest a in 1.5 s"}, hides: []string{"quiet"},
		},
		{
			name: "a-failing-subtest-counts-once-and-shows-its-output",
			in: `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"run","Package":"a","Test":"TestX/one"}
{"Action":"output","Package":"a","Test":"TestX/one","Output":"got 1, want 2\n"}
{"Action":"fail","Package":"a","Test":"TestX/one"}
{"Action":"fail","Package":"a","Test":"TestX"}
{"Action":"run","Package":"a","Test":"TestY"}
{"Action":"output","Package":"a","Test":"TestY","Output":"all well\n"}
{"Action":"pass","Package":"a","Test":"TestY"}
{"Action":"fail","Package":"a"}
`,
			last: "1 passed, 1 failed, 0 skipped", holds: []string{"FAIL a", "got 1, want 2"}, hides: []string{"all well"},
		},
		{
			name: "a-parent-that-fails-after-good-subtests-counts",
			in: `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"run","Package":"a","Test":"TestX/one"}
{"Action":"pass","Package":"a","Test":"TestX/one"}
{"Action":"fail","Package":"a","Test":"TestX"}
{"Action":"fail","Package":"a"}
`,
			last: "1 passed, 1 failed, 0 skipped",
		},
		{
			name: "a-skip-is-a-failed-run",
			in: `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"pass","Package":"a","Test":"TestX"}
{"Action":"run","Package":"a","Test":"TestY"}
{"Action":"output","Package":"a","Test":"TestY","Output":"no server\n"}
{"Action":"skip","Package":"a","Test":"TestY"}
{"Action":"pass","Package":"a"}
`,
			last: "1 passed, 0 failed, 1 skipped", holds: []string{"SKIP a TestY", "no server"},
		},
		{
			name: "no-test-is-a-failed-run",
			in:   `{"Action":"skip","Package":"a"}` + "\n",
			last: "0 passed, 0 failed, 0 skipped", holds: []string{"no test ran"},
		},
		{
			name: "a-package-that-does-not-build-counts-once",
			in: `{"ImportPath":"a [a.test]","Action":"build-output","Output":"a.go:1: undefined: x\n"}
{"ImportPath":"a [a.test]","Action":"build-fail"}
{"Action":"output","Package":"a","Output":"FAIL\ta [build failed]\n"}
{"Action":"fail","Package":"a","FailedBuild":"a [a.test]"}
`,
			last: "0 passed, 1 failed, 0 skipped", holds: []string{"undefined: x"},
		},
		{
			name: "a-package-that-fails-with-good-tests-counts-once",
			in: `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"pass","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Output":"goleak: found unexpected goroutines\n"}
{"Action":"fail","Package":"a"}
`,
			last: "1 passed, 1 failed, 0 skipped", holds: []string{"goleak"},
		},
		{
			name: "a-test-cut-off-by-a-panic-counts",
			in: `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Test":"TestX","Output":"panic: test timed out\n"}
{"Action":"fail","Package":"a"}
`,
			last: "0 passed, 1 failed, 0 skipped", holds: []string{"did not end: TestX", "timed out"},
		},
		{
			name: "a-stream-cut-off-is-a-failed-run",
			in: `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"pass","Package":"a","Test":"TestX"}
not json`,
			last: "1 passed, 1 failed, 0 skipped", holds: []string{"not json", "the stream ended"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			sum, err := summarise(strings.NewReader(c.in), &out)
			if err != nil {
				t.Fatal(err)
			}
			if sum.good() != c.good {
				t.Errorf("good = %t, want %t", sum.good(), c.good)
			}
			if !strings.HasSuffix(out.String(), "\n"+c.last+"\n") {
				t.Errorf("last line is not %q:\n%s", c.last, out.String())
			}
			for _, s := range c.holds {
				if !strings.Contains(out.String(), s) {
					t.Errorf("%q is missing:\n%s", s, out.String())
				}
			}
			for _, s := range c.hides {
				if strings.Contains(out.String(), s) {
					t.Errorf("%q is shown:\n%s", s, out.String())
				}
			}
		})
	}
}
