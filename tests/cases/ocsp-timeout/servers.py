#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""servers.py WEB ANSWERS SILENT DIRECTORY: servers on three ports of loopback. One has the files of
the directory, by TLS, and two are OCSP responders, one of which has the file `answer` for each
question, and one takes questions, but never answers. Makes a file `listening` when they are there;
ends after two minutes."""

import functools
import http.server
import signal
import socket
import ssl
import sys
import threading


class Responder(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        with open("answer", "rb") as file:
            answer = file.read()
        self.send_response(200)
        self.send_header("Content-Type", "application/ocsp-response")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def main():
    web_port, answers_port, silent_port = map(int, sys.argv[1:4])
    files = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[4])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("server.pem", "server.key")
    web = http.server.ThreadingHTTPServer(("127.0.0.1", web_port), files)
    web.socket = context.wrap_socket(web.socket, server_side=True, do_handshake_on_connect=False)
    answers = http.server.ThreadingHTTPServer(("127.0.0.1", answers_port), Responder)
    with socket.create_server(("127.0.0.1", silent_port), backlog=64):
        for server in web, answers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        open("listening", "w", encoding="ascii").close()
        signal.alarm(120)
        signal.pause()


main()
