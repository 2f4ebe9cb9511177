"""A real S3 server on loopback, and a proxy in front of it that breaks what the server would not."""

import contextlib
import http.client
import io
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import unittest.mock
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest


def _free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def environment(endpoint, **more):
    """What a process needs to know to speak to that server, and nothing that this machine knows of others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return {
        **kept,
        "AWS_ACCESS_KEY_ID": "root-of-the-tests",
        "AWS_SECRET_ACCESS_KEY": "secret-of-the-tests",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        **more,
    }


class Gateway:
    """versitygw over a directory: the bucket b's object k is the file b/k in it."""

    def __init__(self, folder):
        self.folder = folder
        program = os.environ.get("HASHMILL_VERSITYGW") or shutil.which("versitygw")
        if program is None:
            pytest.skip("versitygw is not here: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
        port = _free_port()
        self.endpoint = f"http://127.0.0.1:{port}"
        keys = environment(self.endpoint)
        keys = {"ROOT_ACCESS_KEY": keys["AWS_ACCESS_KEY_ID"], "ROOT_SECRET_KEY": keys["AWS_SECRET_ACCESS_KEY"]}
        command = [program, "--port", f"127.0.0.1:{port}", "--quiet", "--keep-alive", "posix", str(folder)]
        self.process = subprocess.Popen(command, env={**os.environ, **keys}, stdout=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
            time.sleep(0.05)
        raise RuntimeError("versitygw does not listen")

    def client(self):
        import boto3

        it = environment(self.endpoint)
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name=it["AWS_REGION"],
            aws_access_key_id=it["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=it["AWS_SECRET_ACCESS_KEY"],
        )

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Bucket:
    """A bucket of its own for a test."""

    def __init__(self, gateway):
        self.gateway, self.client = gateway, gateway.client()
        self.name = "b-" + uuid.uuid4().hex[:12]
        self.url = "s3://" + self.name
        self.client.create_bucket(Bucket=self.name)

    def put(self, key, data=b"", **more):
        return self.client.put_object(Bucket=self.name, Key=key, Body=data, **more)

    def delete(self, key):
        self.client.delete_object(Bucket=self.name, Key=key)

    def file(self, key):
        """Where the server keeps it."""
        return self.gateway.folder / self.name / key

    def multipart(self, key, parts):
        """An upload of several parts with their SHA-256; what S3 keeps of the whole."""
        at = {"Bucket": self.name, "Key": key}
        upload = self.client.create_multipart_upload(**at, ChecksumAlgorithm="SHA256")["UploadId"]
        done = []
        for number, data in enumerate(parts, 1):
            answer = self.client.upload_part(
                **at, UploadId=upload, PartNumber=number, Body=data, ChecksumAlgorithm="SHA256"
            )
            done.append({"PartNumber": number, "ETag": answer["ETag"], "ChecksumSHA256": answer["ChecksumSHA256"]})
        whole = self.client.complete_multipart_upload(**at, UploadId=upload, MultipartUpload={"Parts": done})
        return whole["ChecksumSHA256"]


class Proxy:
    """Passes requests on to the server. before(method, key, headers) may wait, change the store, or return a status to
    answer with instead."""

    def __init__(self, gateway):
        self.requests, self.before = [], lambda method, key, headers: None
        self.lock = threading.Lock()
        proxy, server = self, urlsplit(gateway.endpoint).netloc

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def handle_any(self):
                path = urlsplit(self.path)
                key = unquote(path.path).split("/", 2)[2:]
                key = key[0] if key else ""
                with proxy.lock:
                    proxy.requests.append((self.command, key))
                status = proxy.before(self.command, key, self.headers)
                if status is not None:
                    body = b"<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>"
                    self.answer(status, [("Content-Type", "application/xml")], b"" if self.command == "HEAD" else body)
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                connection = http.client.HTTPConnection(server, timeout=60)
                connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    connection.putheader(name, value)
                connection.endheaders(body)
                answer = connection.getresponse()
                self.answer(answer.status, answer.getheaders(), answer.read())
                connection.close()

            def answer(self, status, headers, body):
                self.send_response_only(status)
                told = {"connection", "transfer-encoding"} | ({"content-length"} if self.command != "HEAD" else set())
                for name, value in headers:
                    if name.lower() not in told:
                        self.send_header(name, value)
                if self.command != "HEAD":
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with contextlib.suppress(ConnectionError):
                    self.wfile.write(body)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any

        class Server(ThreadingHTTPServer):
            request_queue_size = 256

            def handle_error(self, *_):  # clients that were killed
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def read(self):
        """The keys of all GET requests for objects so far."""
        with self.lock:
            return [key for method, key in self.requests if method == "GET" and key]

    def forget(self):
        with self.lock:
            self.requests.clear()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="session")
def gateway(tmp_path_factory):
    it = Gateway(tmp_path_factory.mktemp("s3"))
    yield it
    it.stop()


@pytest.fixture
def bucket(gateway):
    return Bucket(gateway)


@pytest.fixture
def proxy(gateway):
    it = Proxy(gateway)
    yield it
    it.stop()


@pytest.fixture(scope="session")
def cluster():
    """Ray, as two machines of one core each, both of them here."""
    import ray.cluster_utils

    # What Ray is told by the environment of whoever runs the tests is not for them.
    os.environ.pop("RAY_ADDRESS", None)
    os.environ["RAY_AUTH_MODE"] = "disabled"
    head = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
    it = ray.cluster_utils.Cluster(initialize_head=True, head_node_args=head)
    it.add_node(num_cpus=1, object_store_memory=80 << 20)
    ray.init(address=it.address, log_to_driver=False)
    yield it
    ray.shutdown()
    it.shutdown()


def start_hashmill(endpoint, *arguments, env=(), **more):
    """python -m hashmill, started."""
    command = [sys.executable, "-m", "hashmill", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
    return subprocess.Popen(command, env=environment(endpoint, **dict(env)), **pipes)


def run_hashmill(endpoint, *arguments, env=(), **more):
    """The same, to its end; in this process, which is quicker, if the system has nothing to do for it."""
    if more:
        process = start_hashmill(endpoint, *arguments, env=env, **more)
        out, err = process.communicate(timeout=600)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)
    from hashmill.__main__ import main

    out, err = io.StringIO(), io.StringIO()
    outer = unittest.mock.patch.dict(os.environ, environment(endpoint, **dict(env)), clear=True)
    with outer, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main([str(it) for it in arguments])
        except SystemExit as error:  # of argparse
            status = error.code
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())
