#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# The set-up for many machines of docs/farm.md, with the files that the document shows: only folders, ports and names of
# hosts are others. Redis behind one stunnel, a worker behind another one with the server's certificate. A stunnel that
# expects another certificate gets no connection. No secret is on a command line. systemd finds no fault with the unit.
# Status 77: stunnel or systemd is not there.
#
#   check_tls.py DOVETAIL DOCUMENT
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time

PASSWORD = "A-LONG-PASSWORD"
GIVEN_UP = 77


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit(f"nobody listens on port {port}")


class SetUp:
    def __init__(self, dovetail, document, root):
        self.dovetail, self.root = os.path.abspath(dovetail), root
        self.text = pathlib.Path(document).read_text()
        self.redis, self.tls, self.local, self.wrong = free_ports(4)
        self.processes, self.lines = [], []

    # The code block behind a place in the document.
    def block(self, place):
        start = self.text.index("```", self.text.index(place))
        return self.text[self.text.index("\n", start) + 1 : self.text.index("\n```", start)] + "\n"

    # As on this machine, without root.
    def here(self, text, redis):
        for old, new in (
            ("SERVER:6380", f"127.0.0.1:{self.tls}"),
            ("accept = 6380", f"accept = 127.0.0.1:{self.tls}"),
            ("127.0.0.1:6379", f"127.0.0.1:{redis}"),
            ("redis://127.0.0.1", f"redis://127.0.0.1:{redis}"),
            ("/etc/", f"{self.root}/etc/"),
            ("/var/", f"{self.root}/var/"),
        ):
            text = text.replace(old, new)
        return text

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)
        return str(path)

    def start(self, *command):
        log = open(self.root / f"{len(self.processes)}.log", "w")
        self.processes.append(subprocess.Popen(command, stdout=log, stderr=log))

    def run(self, line, status=0):
        words = shlex.split(line)
        process = subprocess.Popen([self.dovetail, *words[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        shown = pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes()
        output = process.communicate()[0]
        self.lines += [shown] + [pathlib.Path(f"/proc/{each.pid}/cmdline").read_bytes() for each in self.processes]
        if process.returncode != status:
            sys.exit(f"{line}: status {process.returncode}\n{output}")
        return output

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def check_unit(setup):
    unit = setup.block("`/etc/systemd/system/dovetail-worker.service`")
    # The unit of Debian's stunnel4 is looked up; dovetail is where this build has it.
    unit = unit.replace("ExecStart=dovetail", f"ExecStart={setup.dovetail}")
    path = setup.write("dovetail-worker.service", unit)
    os.chmod(path, 0o644)
    verified = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True)
    if verified.returncode != 0 or verified.stderr:
        sys.exit(f"systemd-analyze: {verified.stderr}")
    return re.search("^ExecStart=(.*)$", unit, re.M)[1]


def check(setup):
    root = setup.root
    worker = check_unit(setup)
    key, cert = root / "etc/stunnel/farm-key.pem", root / "etc/stunnel/farm-cert.pem"
    cert.parent.mkdir(parents=True)
    (root / "var/lib/dovetail").mkdir(parents=True)
    make_certificate = re.search("openssl req .*", setup.text)[0]
    subprocess.run(shlex.split(setup.here(make_certificate, setup.redis)), check=True, capture_output=True)
    setup.write("etc/dovetail/password", PASSWORD + "\n")
    setup.write("etc/dovetail/farm-cert.pem", cert.read_text())
    (root / "etc/dovetail/key").write_bytes(os.urandom(32))
    (root / "etc/dovetail/key").chmod(0o600)

    redis = setup.write("redis.conf", setup.block("`/etc/redis/farm.conf`") + f"port {setup.redis}\ndir {root}\n")
    setup.start("redis-server", redis)
    wait_for(setup.redis)
    server = setup.here(setup.block("`/etc/stunnel/farm.conf` of the server"), setup.redis)
    setup.start("stunnel4", setup.write("server.conf", server))
    wait_for(setup.tls)
    tunnel = setup.here(setup.block("`/etc/stunnel/farm.conf` of a worker"), setup.local)
    setup.start("stunnel4", setup.write("worker.conf", tunnel))
    wait_for(setup.local)

    # Somebody else in the place of the server: the same set-up with another certificate.
    other = root / "other"
    other.mkdir()
    subprocess.run(shlex.split(make_certificate.replace("/etc/stunnel", str(other))), check=True, capture_output=True)
    wrong = setup.here(setup.block("`/etc/stunnel/farm.conf` of a worker"), setup.wrong)
    wrong = wrong.replace(f"{root}/etc/dovetail", str(other))
    setup.start("stunnel4", setup.write("wrong.conf", wrong))
    wait_for(setup.wrong)

    setup.write(
        "captures/one.comp",
        "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint b; };\nvoid main() { b *= 3u; }\n",
    )
    submit = re.search("dovetail farm submit captures/ .*redis://.*", setup.text)[0].replace("captures/", f"{root}/captures")
    output = setup.run(setup.here(submit, setup.wrong) + " --patience 0", status=1)
    if "connection is lost" not in output:
        sys.exit(f"a tunnel with another certificate: {output}")
    if "2 items submitted" not in (output := setup.run(setup.here(submit, setup.local))):
        sys.exit(output)
    if "2 items: 2 parts made" not in (output := setup.run(setup.here(worker, setup.local) + " --until-empty --jobs 1")):
        sys.exit(output)
    secret = (root / "etc/dovetail/key").read_bytes()
    if any(PASSWORD.encode() in line or secret in line for line in setup.lines):
        sys.exit("a secret is on a command line")


def main():
    for program in ("stunnel4", "systemd-analyze", "openssl", "redis-server"):
        if not shutil.which(program):
            print(f"skipped: {program} is not installed")
            sys.exit(GIVEN_UP)
    with tempfile.TemporaryDirectory() as folder:
        setup = SetUp(sys.argv[1], sys.argv[2], pathlib.Path(folder))
        try:
            check(setup)
        finally:
            setup.end()
    print("1 passed, 0 failed")


main()
