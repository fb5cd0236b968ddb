"""Files that Spark's driver lists and its executors read: on disks, in S3 and in HDFS.

    files = listed(["crawl/*.warc.gz", "s3a://bucket/crawl-data/"])    # [InputFile("crawl/a.warc.gz", 300), …]
    with opened(files[0].path) as file: ...

Paths without a scheme, and `file:`, are read by Python, all others by pyarrow.
"""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from ..errors import UsageError, error_message

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://|file:")
# Scheme of Hadoop → scheme of pyarrow.
_SCHEMES = {"s3a": "s3", "s3n": "s3"}
_WILD = re.compile(r"[*?\[]")


class InputFile(NamedTuple):
    """A file to read: its path or URI, and its size in bytes."""

    path: str
    size: int


def listed(paths: Iterable[str]) -> list[InputFile]:
    """The files of paths, which may be files, folders, and patterns with wild cards; in the order of the paths, and by
    name in folders and patterns. Hidden files are left out of folders, and so are those that begin with `_`.

    Raises UsageError for a path without a file.
    """
    out: list[InputFile] = []
    for path in paths:
        found = list(_remote(path) if _is_remote(path) else _local(path))
        if not found:
            raise UsageError(f"{path}: no file")
        out += found
    return out


def opened(path: str) -> Any:
    """A file, for reading bytes from any place of it. Raises OSError."""
    if _is_remote(path):
        files, place = _file_system(path)
        return files.open_input_file(place)
    return open(local_path(path), "rb")  # noqa: SIM115 (the reader closes it)


def local_path(path: str) -> str:
    """A path without the scheme `file:`."""
    return unquote(urlsplit(path).path) if path.startswith("file:") else path


def _is_remote(path: str) -> bool:
    found = _SCHEME.match(path)
    return bool(found) and not path.startswith("file:")


# ---- local files --------------------------------------------------------------------------------------------


def _local(path: str) -> Iterator[InputFile]:
    name = local_path(path)
    try:
        for one in [name] if os.path.exists(name) or not _WILD.search(name) else sorted(glob.glob(name)):
            if os.path.isdir(one):
                yield from _folder(one)
            else:
                yield InputFile(one, os.stat(one).st_size)
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {error.strerror}") from None


def _folder(path: str) -> Iterator[InputFile]:
    for folder, below, names in os.walk(path):
        below[:] = sorted(name for name in below if not _is_hidden(name))
        for name in sorted(names):
            if not _is_hidden(name):
                file = os.path.join(folder, name)
                yield InputFile(file, os.stat(file).st_size)


def _is_hidden(name: str) -> bool:
    """Whether a file is not data: Spark's `_SUCCESS`, for example."""
    return name.startswith((".", "_"))


# ---- other file systems -------------------------------------------------------------------------------------


def _remote(path: str) -> Iterator[InputFile]:
    from pyarrow.fs import FileSelector, FileType  # only for URIs

    try:
        files, place = _file_system(path)
        base = path[: len(path) - len(place)] if path.endswith(place) else path.partition("://")[0] + "://"
        wild = _WILD.search(place)
        if not wild and (one := files.get_file_info(place)).type == FileType.File:
            yield InputFile(path, one.size)
            return
        above = place[: wild.start()].rpartition("/")[0] if wild else place.rstrip("/")
        found = files.get_file_info(FileSelector(above, recursive=True, allow_not_found=True))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error_message(error)}") from None
    for info in sorted(found, key=lambda info: str(info.path)):
        below = info.path[len(above) :]
        is_data = info.type == FileType.File and not any(map(_is_hidden, below.strip("/").split("/")))
        if is_data and (not wild or _matches(info.path, place)):
            yield InputFile(base + info.path, info.size)


def _matches(path: str, pattern: str) -> bool:
    """Whether a path matches a pattern, folder by folder."""
    names, patterns = path.split("/"), pattern.split("/")
    return len(names) == len(patterns) and all(map(fnmatch.fnmatchcase, names, patterns))


def _file_system(path: str) -> tuple[Any, str]:
    """The file system of a URI, and the path in it."""
    scheme, _, rest = path.partition("://")
    name = _SCHEMES.get(scheme.lower(), scheme.lower())
    if name == "s3":
        return _s3(), rest
    parts = urlsplit(path)
    return _connected(f"{name}://{parts.netloc}"), parts.path


@cache
def _s3() -> Any:
    """S3, with the credentials of the environment or of the machine, and AWS_ENDPOINT_URL; anonymous with
    AWS_ANONYMOUS=1."""
    from pyarrow.fs import S3FileSystem  # only for s3a://

    return S3FileSystem(
        anonymous=os.environ.get("AWS_ANONYMOUS") == "1", endpoint_override=os.environ.get("AWS_ENDPOINT_URL") or None
    )


@cache
def _connected(uri: str) -> Any:
    from pyarrow.fs import FileSystem  # only for URIs

    return FileSystem.from_uri(uri + "/")[0]
