"""The part of the package that setup.cfg cannot describe: the core in C.

Without a compiler it is left out, and the code in Python is used.
"""

import os
from glob import glob

from setuptools import Extension, setup

CORES = ("features", "page", "scoring", "segmentation", "selection", "streams")
# the same sums as in Python: a product and a sum are two operations
FLAGS = ["-ffp-contract=off"] if os.name == "posix" else []

setup(
    ext_modules=[
        Extension(
            f"ncfilters.{of}._core",
            [f"ncfilters/{of}/_core.c"],
            depends=sorted(
                glob(f"ncfilters/{of}/**/_*.h", recursive=True)
                + glob("ncfilters/text/_*.h")
                + glob("ncfilters/*/_shown_*.h")
                + glob("ncfilters/*/_segment_dicts.h")
                + ["ncfilters/page/_columns.h", "ncfilters/page/_block_markup.h"]
            ),
            optional=True,
            extra_compile_args=FLAGS,
        )
        for of in CORES
    ]
)
