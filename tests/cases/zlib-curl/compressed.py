#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""compressed.py PORT: answers every request on loopback with the same compressed text."""

import gzip
import http.server
import sys

TEXT = gzip.compress("\n".join(map(str, range(5000))).encode())


class Handler(http.server.BaseHTTPRequestHandler):
    wbufsize = -1
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(TEXT)))
        self.end_headers()
        self.wfile.write(TEXT)

    def log_message(self, *_arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
