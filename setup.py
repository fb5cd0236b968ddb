"""The part of the package that setup.cfg cannot describe: the walk in C.

Without a compiler it is left out, and the walk in Python is used.
"""

from setuptools import Extension, setup

setup(ext_modules=[Extension("ncfilters.page._core", ["ncfilters/page/_core.c"], optional=True)])
