"""The part of the package that setup.cfg cannot describe: the modules that Cython compiles, and completion for shells.

Each of COMPILED is a module of plain Python with a `.pxd` file beside it, which has the types; in `native`, some are a
`.pyx` file beside a plain module with the same functions. Without Cython or a compiler, the plain modules are used.
The environment variable NC_COMPILE forbids compiling (`never`), or requires it (`always`).
"""

import os
import sys
from distutils.command.install_data import install_data
from pathlib import Path

from setuptools import Extension, setup

# Modules that a profile shows to be hot (bench/compiled.md).
COMPILED = [
    "features.phrase_vocabulary",
    "features.places",
    "features.segment_features",
    "features.segment_table",
    "features.shared_features",
    "features.title_overlap",
    "native.page_table",
    "native.parser_memory",
    "native.sums",
    "native.text_counts",
    "native.utf8",
    "page.blocks.block_reader",
    "page.blocks.block_table",
    "page.blocks.formulas",
    "page.blocks.justext_blocks",
    "page.blocks.justext_markup",
    "page.blocks.open_elements",
    "page.blocks.screen_readers",
    "page.blocks.text_run",
    "page.blocks.word_spaces",
    "page.dom_path",
    "page.element_table",
    "page.markup.candidates",
    "page.markup.images",
    "page.markup.markup_builder",
    "page.markup.markup_context",
    "page.markup.markup_run",
    "page.posts.post_rows",
    "page.tree.elements",
    "page.tree.survey",
    "record",
    "scoring.quality",
    "scoring.structure.embeddings",
    "scoring.structure.outputs",
    "segmentation.cleaning",
    "segmentation.landmarks",
    "segmentation.line_breaks",
    "segmentation.page_language",
    "segmentation.rules",
    "segmentation.segment_types",
    "selection.copies",
    "selection.expected_f",
    "selection.forms.spans",
    "selection.scored_page",
    "selection.surroundings",
    "selection.whole_parts",
    "text.char_stats",
]
# What Cython gives to all modules, compiled once.
SHARED = "ncfilters.native._cython"
# Types are in .pxd files alone: an annotation promises nothing to the compiler.
DIRECTIVES = {"language_level": 3, "annotation_typing": False}
# The same sums as in Python: a product and a sum are two operations. Loops over bytes and numbers gain from
# optimization; other modules do not, and compile in half the time without it.
FLAGS = ["-ffp-contract=off", "-g0"] if os.name == "posix" else []
PLAIN_FLAGS = [*FLAGS, "-O1"] if os.name == "posix" else []
OPTIMIZED = ("features.", "native.", "scoring.", "text.")


def extensions() -> list[Extension]:
    """The modules to be compiled; none where that is forbidden, or where there is no Cython."""
    wanted = os.environ.get("NC_COMPILE", "auto")
    if wanted not in ("auto", "never", "always"):
        sys.exit(f"NC_COMPILE: expected auto, never or always, got {wanted!r}")
    if wanted == "never":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if wanted == "always":
            raise
        return []
    modules = []
    for name in COMPILED:
        path = Path("ncfilters", *name.split("."))
        source = path.with_suffix(".pyx" if path.with_suffix(".pyx").exists() else ".py")
        flags = FLAGS if name.startswith(OPTIMIZED) else PLAIN_FLAGS
        modules.append(Extension(f"ncfilters.{name}", [str(source)], extra_compile_args=flags))
    modules.append(Extension(SHARED, [], extra_compile_args=PLAIN_FLAGS))
    modules = cythonize(
        modules,
        compiler_directives=DIRECTIVES,
        build_dir="build/cython",
        quiet=True,
        nthreads=2,
        shared_utility_qualified_name=SHARED,
    )
    for module in modules:
        # cythonize() does not copy what is given to Extension
        module.optional = wanted == "auto"
    return modules


class InstallData(install_data):
    """Installs manual pages, and completions of the commands if what makes them is there."""

    def run(self) -> None:
        """Makes the completions, and copies all files."""
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        try:
            from ncfilters.commands import completion

            commands = sorted({*os.listdir("bin")} - {"nc-tune"})  # which names what replaces it, and has no options
            self.data_files += completion.write(Path("build/completions"), commands)
        except ImportError:
            pass  # a build without shtab
        super().run()


if __name__ == "__main__":  # processes of Cython read this file again where they are not forked
    setup(ext_modules=extensions(), cmdclass={"install_data": InstallData})
