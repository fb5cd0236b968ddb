"""What the makers of WARC cases share."""

import gzip
import sys

write = sys.stdout.buffer.write


def archived(body, number=1, kind="response", mime="application/http;msgtype=response", length=None):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{number}>\r\nWARC-Target-URI: http://a/{number}\r\n"
    head += f"WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: {mime}\r\n"
    return f"{head}Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body + b"\r\n\r\n"


def http(payload, more="", mime="text/html"):
    return f"HTTP/1.1 200 OK\r\nContent-Type: {mime}\r\n{more}\r\n".encode() + payload


def page(number, **how):
    return archived(http(f"<p>Page {number}".encode()), number, **how)


def packed(*records):
    return b"".join(gzip.compress(record, mtime=0) for record in records)


def damaged(data):
    middle = len(data) // 2
    return data[:middle] + bytes(byte ^ 255 for byte in data[middle : middle + 3]) + data[middle + 3 :]
