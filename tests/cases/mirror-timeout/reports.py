#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""reports.py PORT SILENT: a server of reports that does not answer so many of its requests, spread
over them, until its client has gone."""

import http.server
import sys

silent = int(sys.argv[2])
LINES = "".join(f"{i};customer {i * 7919 % 9973};{i * i % 97701 / 100}\n" for i in range(6000))
TEXT = LINES.encode()


class Reports(http.server.BaseHTTPRequestHandler):
    """Counts the requests."""

    count = 0

    def do_GET(self):
        """One report."""
        Reports.count += 1
        if Reports.count <= silent * 13 and Reports.count % 13 == 7:
            self.rfile.read(1)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(TEXT)))
        self.end_headers()
        self.wfile.write(TEXT)


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Reports).serve_forever()
