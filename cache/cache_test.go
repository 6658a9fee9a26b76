package cache_test

import (
	"fmt"
	"sync"
	"testing"

	"tenure/cache"
)

func ExampleCache() {
	c := cache.New[string, int](1000)
	c.Put("a", 1, 10)
	fmt.Println(c.Get("a"))
	fmt.Println(c.Get("b"))
	// Output:
	// 1 true
	// 0 false
}

func TestWhatIsUsedStays(t *testing.T) {
	c := cache.New[int, int](1000)
	for i := range 1000 {
		c.Put(i, i, 10)
		if v, ok := c.Get(0); !ok || v != 0 {
			t.Fatalf("what is used all the time is gone after %d others", i)
		}
	}
	kept := 0
	for i := range 1000 {
		if _, ok := c.Get(i); ok {
			kept++
		}
	}
	if kept > 200 {
		t.Errorf("%d of 1000 are kept, of which two halves hold 100 each", kept)
	}
}

func TestWhatIsTooLargeIsLeftOut(t *testing.T) {
	c := cache.New[int, int](1000)
	c.Put(1, 1, 500)
	if _, ok := c.Get(1); ok {
		t.Error("one value may not take half of the cache")
	}
}

func TestManyAtOnce(t *testing.T) {
	c := cache.New[int, int](1000)
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for i := range 1000 {
				c.Put(i, i, 10)
				if v, ok := c.Get(i % 50); ok && v != i%50 {
					t.Errorf("got %d for %d", v, i%50)
				}
			}
		})
	}
	work.Wait()
}
