"""Builds the extension attend._attend over libattend, and puts the library's modules beside it.

Where libattend comes from:
    ATTEND_BUILD=FOLDER   a build folder of the project: the static library is linked into the extension
    ATTEND_SYSTEM=1       the installed shared library, by pkg-config; its modules stay where they are installed
    otherwise             the sources around this folder, or those inside a source distribution, are built by CMake
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import declarations  # noqa: E402

BUNDLED = HERE / "library"  # in a source distribution: the sources of libattend
SOURCES = BUNDLED if BUNDLED.exists() else HERE.parent
# What CMake needs to build the library and its modules.
SOURCE_PARTS = ["CMakeLists.txt", "CHANGELOG.md", "attend.pc.in", "attend-config.cmake.in", "LICENSE",
                "include", "src", "cli", "web", "tools"]
# Modules that a Python program has no use for: training over MPI, and the server.
LEFT_OUT = {"attend-mpi.so", "attend-serve.so"}

# Functions that the library calls back, what finds the modules, and the value of a macro.
CALLBACKS = """
extern "Python" void attend_python_report(void *context, const struct attend_train_report *report);
extern "Python" bool attend_python_stop(void *context);
const char *attend_python_library(void);
struct attend_trouble_limits attend_python_trouble_limits(void);
void *dlopen(const char *path, int flags);
void *dlsym(void *module, const char *name);
char *dlerror(void);
#define RTLD_NOW ...
"""
HELPERS = """
#include <dlfcn.h>

/* The file that the library's code is in: libattend.so, or this extension if the library is linked into it. */
static const char *attend_python_library(void)
{
    Dl_info info;
    union { const char *(*function)(void); void *address; } version = {attend_version};
    return dladdr(version.address, &info) ? info.dli_fname : NULL;
}

static struct attend_trouble_limits attend_python_trouble_limits(void)
{
    return ATTEND_TROUBLE_LIMITS;
}
"""


@dataclass
class Library:
    include: Path
    file: Path  # whose exports are the functions of the extension
    link: list  # arguments of the linker
    modules: list  # files to put beside the extension


def pkg_config(*arguments, path=None):
    environment = dict(os.environ, PKG_CONFIG_PATH=str(path)) if path else None
    command = ["pkg-config", *arguments, "attend"]
    return shlex.split(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)


def installed_library():
    folder = Path(pkg_config("--variable=libdir")[0])
    include = Path(pkg_config("--variable=includedir")[0])
    return Library(include.resolve(), folder / "libattend.so", pkg_config("--libs"), [])


def built_library(build):
    archive = build / "libattend.a"
    if not archive.exists():
        sys.exit(f"setup.py: {build} has no libattend.a; build it with make build, or unset ATTEND_BUILD")
    link = [f for f in pkg_config("--static", "--libs", path=build) if f != "-lattend" and not f.startswith(f"-L{build}")]
    modules = [module for module in sorted(build.glob("attend-*.so")) if module.name not in LEFT_OUT]
    return Library(SOURCES / "include", archive, [str(archive), "-Wl,--exclude-libs,ALL", *link], modules)


def compiled_library(build):
    jobs = ["--parallel", str(os.cpu_count() or 1)]
    subprocess.run(["cmake", "-S", str(SOURCES), "-B", str(build), "-DATTEND_MPI=OFF", "-DATTEND_SERVE=OFF"], check=True)
    subprocess.run(["cmake", "--build", str(build), *jobs], check=True)
    return built_library(build)


def find_library(temporary):
    if os.environ.get("ATTEND_BUILD"):
        return built_library(Path(os.environ["ATTEND_BUILD"]).resolve())
    if os.environ.get("ATTEND_SYSTEM"):
        return installed_library()
    return compiled_library(Path(temporary).resolve() / "library")


def write_source(library, path):
    """Write the C file of the extension; unchanged if it would be the same, so that nothing is compiled again."""
    import cffi

    compiler = shlex.split(os.environ.get("CC", sysconfig.get_config_var("CC") or "cc"))
    ffi = cffi.FFI()
    ffi.cdef(declarations.declarations(library.include, library.file, compiler) + CALLBACKS)
    includes = "".join(f"#include <{name}>\n" for name in declarations.headers(library.include))
    ffi.set_source("attend._attend", includes + HELPERS)
    path.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_c_code(str(path))


class BuildExtension(build_ext):
    def run(self):
        library = find_library(self.build_temp)
        source = Path(self.build_temp) / "_attend.c"
        write_source(library, source)
        (extension,) = self.extensions
        extension.sources = [str(source)]
        extension.include_dirs = [str(library.include)]
        extension.depends = [str(library.file)]
        extension.extra_link_args = library.link
        super().run()
        self.copy_modules(library)

    def copy_modules(self, library):
        folder = Path(self.get_ext_fullpath("attend._attend")).parent
        for module in library.modules:
            shutil.copy2(module, folder / module.name)


class SourceDistribution(sdist):
    """Adds the sources of libattend, so that a wheel can be built from the distribution alone."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for part in SOURCE_PARTS:
            source, target = SOURCES / part, Path(base_dir) / "library" / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("*_test.c", "__pycache__"))
            else:
                shutil.copy2(source, target)
        shutil.copy2(HERE / "declarations.py", base_dir)


def version():
    return re.search(r"project\(attend VERSION ([\d.]+)", (SOURCES / "CMakeLists.txt").read_text())[1]


setup(
    version=version(),
    # cffi's part of the interface of Python is stable: one file serves every version.
    ext_modules=[Extension("attend._attend", [], py_limited_api=True)],
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
    cmdclass={"build_ext": BuildExtension, "sdist": SourceDistribution},
)
