"""A mirror as crawlers leave them, with all that should not be there."""

import gzip
import os
import sys

sys.path.insert(0, "..")
from archive import packed, page

top = os.fsencode(sys.argv[1])
FILES = {
    b"index.html": "<title>Über uns</title><p>In UTF-8.".encode(),
    b"caf\xe9.html": b"<meta charset=iso-8859-15><p>\xa4 100",
    b"Old Site/INDEX.HTM": "\ufeff<p>UTF-16".encode("utf-16-le"),
    b"Old Site/.htaccess": b"deny all",
    b"news/2.html": b"<p>Two",
    b"news/10.html.gz": gzip.compress(b"<p>Ten, packed", mtime=0),
    b"news/broken.html.gz": gzip.compress(b"<p>Breaks off" * 50, mtime=0)[:-12],
    b"news/empty.html": b"",
    b"news/article.php?id=1&x=\n": b"<!-- made by a program -->\n<html><p>PHP",
    b"news/style.css": b"p {}",
    b"news/a.png": b"\x89PNG\r\n\x1a\n<html>",
    b"news/nothing": b"",
    b"news/feed.xml": b"<?xml version='1.0'?><rss/>",
    b"crawl.warc.gz": packed(page(1), page(2)),
    b"more/crawl": page(3) + page(4),
    b"more/empty.warc": b"",
}
for name, data in FILES.items():
    path = os.path.join(top, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
os.symlink(b"..", os.path.join(top, b"news/up"))
os.symlink(b"nowhere.html", os.path.join(top, b"news/gone.html"))
os.symlink(b"2.html", os.path.join(top, b"news/two.html"))
os.mkfifo(os.path.join(top, b"news/pipe.html"))
