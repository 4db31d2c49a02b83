// SPDX-License-Identifier: MIT
//
// server ADDRESS once|always: finds the handler of a path by regular expressions, which it compiles
// once or for each request.
package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
)

// The paths of 40 services; what is asked for belongs to the last one.
func patterns() (all []string) {
	for service := 1; service <= 40; service++ {
		all = append(all, fmt.Sprintf(
			`^/service%d/(orders|products)/(\d{1,9})(/items/(\d{1,4})(/(state|price|tax))?)?$`, service))
	}
	return all
}

type routes struct {
	compiled []*regexp.Regexp
}

func (r *routes) expression(i int, pattern string) *regexp.Regexp {
	if r.compiled != nil {
		return r.compiled[i]
	}
	return regexp.MustCompile(pattern)
}

//go:noinline
func (r *routes) match(path string) int {
	for i, pattern := range patterns() {
		if r.expression(i, pattern).MatchString(path) {
			return i
		}
	}
	return -1
}

func (r *routes) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	fmt.Fprintf(answer, "route %d\n", r.match(request.URL.Path))
}

func main() {
	r := &routes{}
	if os.Args[2] == "once" {
		for _, pattern := range patterns() {
			r.compiled = append(r.compiled, regexp.MustCompile(pattern))
		}
	}
	http.ListenAndServe(os.Args[1], r)
}
