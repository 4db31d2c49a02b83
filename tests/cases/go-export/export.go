// SPDX-License-Identifier: MIT
//
// export COLLECTOR buffer|plain: starts the collector, connects to it, and sends it all orders.
package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
)

const orders = 6000

type exporter struct {
	to io.Writer
}

//go:noinline
func (e *exporter) row(number int, signature []byte) {
	fmt.Fprintf(e.to, "%d\t", number)
	fmt.Fprintf(e.to, "customer %d\t", number%977)
	fmt.Fprintf(e.to, "%d.%02d\t", number%1000, number%100)
	fmt.Fprintf(e.to, "%x\n", signature[:8])
}

//go:noinline
func sign(number int) []byte {
	sum := sha256.Sum256([]byte(fmt.Sprintf("order %d", number)))

	for i := 0; i < 1600; i++ {
		sum = sha256.Sum256(sum[:])
	}
	return sum[:]
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal(err)
	collector := exec.Command("/usr/bin/python3", os.Args[1], fmt.Sprint(listener.Addr().(*net.TCPAddr).Port))
	collector.Stdout, collector.Stderr = os.Stdout, os.Stderr
	fatal(collector.Start())
	connection, err := listener.Accept()
	fatal(err)

	buffer := bufio.NewWriterSize(connection, 65536)
	e := exporter{to: connection}
	if os.Args[2] == "buffer" {
		e.to = buffer
	}
	for number := 0; number < orders; number++ {
		e.row(number, sign(number))
	}
	fatal(buffer.Flush())
	fatal(connection.Close())
	fatal(collector.Wait())
}
