"""A server of a data set's archives: good, damaged, slow, or cut off."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Mirror:
    """A server of archives.

    Attributes:
        archives: bytes by name.
        asked: names, in the order in which they were asked for.
        address: of the folder.
        slow: a name whose second half does not come before `go_on` is set.
        announced: bytes that each answer announces beyond what it has.
    """

    def __init__(self, archives):
        self.archives = archives
        self.asked = []
        self.address = ""  # once it serves
        self.slow = None
        self.announced = 0
        self.half_sent = threading.Event()
        self.go_on = threading.Event()


@contextmanager
def serving(mirror):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.rsplit("/", 1)[1]
            mirror.asked.append(name)
            content = mirror.archives.get(name)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content) + mirror.announced))
            self.end_headers()
            if name == mirror.slow:
                half = len(content) // 2
                self.wfile.write(content[:half])
                self.wfile.flush()
                content = content[half:]
                mirror.half_sent.set()
                mirror.go_on.wait()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    mirror.address = f"http://127.0.0.1:{server.server_port}/archives"
    try:
        yield mirror
    finally:
        mirror.go_on.set()
        server.shutdown()
        thread.join()
        server.server_close()
