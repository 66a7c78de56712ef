"""The extension that cffi makes: every function and struct of include/attend."""
from typing import Any

ffi: Any
lib: Any
