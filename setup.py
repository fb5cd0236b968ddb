"""The part of the package that setup.cfg cannot describe: the core in C.

Without a compiler it is left out, and the code in Python is used.
"""

from setuptools import Extension, setup

CORES = ("features", "page", "segmentation")

setup(ext_modules=[Extension(f"ncfilters.{of}._core", [f"ncfilters/{of}/_core.c"], optional=True) for of in CORES])
