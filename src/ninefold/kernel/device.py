"""Kernels for a CUDA card, compiled by numba-cuda from the functions that the processor runs.

A card must play what the processor plays, to the last digit. So multiplications and additions are not fused.
Large tables lie in the card's memory, because there is little room for constants. Compiled kernels are kept
beside those of the processor. Nothing here knows a game, and nothing is imported until a card is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from threading import RLock
from types import FunctionType
from typing import Any

import numpy as np

from ninefold.kernel.compile import COMPILED, ByDigest, cache_folder, config, sound_files
from ninefold.kernel.errors import NinefoldError

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
MOST_CONSTANT = 1_024  # bytes; a larger array lies in the card's memory
THREADS = 128  # of a block
LEAST_BLOCKS = 128  # with fewer, numba-cuda warns
RESIDENT = 2_048  # threads of one multiprocessor, at most
REGISTERS = 96  # of a thread: with more, too few threads run at once to hide what waits for memory
INSTALL = "pip install 'ninefold[cuda]'"

_compiling = RLock()


@cache
def card() -> Any:
    """numba.cuda, if there is a card; otherwise NinefoldError says what is missing."""
    if find_spec("numba_cuda") is None:
        raise NinefoldError(f"a CUDA card needs numba-cuda: install ninefold[cuda] ({INSTALL})")
    from numba import cuda

    if SIMULATED:
        if COMPILED:
            raise NinefoldError("the simulator of numba-cuda plays interpreted: set NUMBA_DISABLE_JIT=1, too")
        return cuda
    if not cuda.is_available():
        error = cuda.cuda_error()
        if error:
            why = str(error).strip().splitlines()[0].removesuffix(".")
            raise NinefoldError(f"no CUDA card can be used here: {why}; without --device the processor plays")
        raise NinefoldError(f"numba-cuda finds no CUDA toolkit: install ninefold[cuda] ({INSTALL})")
    return cuda


def threads() -> int:
    """How many threads the card can run at once."""
    return 3 if SIMULATED else RESIDENT * int(card().get_current_device().MULTIPROCESSOR_COUNT)


def room() -> int:
    """Bytes of the card's memory that are free."""
    return 1 << 30 if SIMULATED else int(card().current_context().get_memory_info().free)


def bind(template: Any, name: str, modules: Sequence[str], **names: Any) -> Launcher:
    """Make a kernel for the card from a template, with values for its free global names; as compile.bind."""
    return Launcher(_bound(template, name, names), [*modules, template.__module__, __name__])


def part(template: Any, name: str, **names: Any) -> Any:
    """The same for a function that a kernel calls."""
    bound = _bound(template, name, names)
    return bound if SIMULATED else card().jit(bound, device=True, forceinline=True, lto=False)


def _bound(template: Any, name: str, names: dict[str, Any]) -> FunctionType:
    bound = FunctionType(template.__code__, {**template.__globals__, **names}, name, template.__defaults__)
    bound.__qualname__ = name
    bound.__module__ = template.__module__
    return bound


class Launcher:
    """A kernel that can be started on many threads."""

    def __init__(self, function: FunctionType, modules: Sequence[str]) -> None:
        self.function = function
        cuda = card()
        if SIMULATED:
            self._kernel = cuda.jit(function)
            return
        self._kernel = cuda.jit(function, lto=False, max_registers=REGISTERS)
        self._kernel._cache = _kept(function, str(cache_folder(*modules)))

    def start(self, stream: Any, threads: int, *arguments: Any) -> None:
        """Run on at least this many threads, after all else in the stream; returns before they are done."""
        if SIMULATED:
            with _compiling:  # the simulator runs one kernel at a time
                self._kernel[threads, 1](*arguments)
            return
        launch = self._kernel[max(LEAST_BLOCKS, -(-threads // THREADS)), THREADS, stream]
        if self._kernel.overloads:
            launch(*arguments)
            return
        with _compiling, _exact():
            launch(*arguments)


def code(function: Any, types: Sequence[Any], capability: tuple[int, int]) -> str:
    """The assembly of a kernel for a kind of card, which need not be here."""
    from numba import cuda

    with _compiling, _exact():
        made, _ = cuda.compile_ptx(function, tuple(types), device=False, cc=capability)
    return str(made)


@contextmanager
def _exact() -> Iterator[None]:
    """While our kernels are compiled: no fused arithmetic, and large tables in the card's memory."""
    if SIMULATED:
        yield
        return
    from numba.cuda.cudadrv import nvvm
    from numba.cuda.target import CUDATargetContext

    compile_ir, constant = nvvm.compile_ir, CUDATargetContext.make_constant_array

    def exact(ir: Any, **options: Any) -> Any:
        return compile_ir(ir, **{**options, "fma": False})

    def table(self: Any, builder: Any, kind: Any, values: Any) -> Any:
        values = np.ascontiguousarray(values)
        if values.nbytes <= MOST_CONSTANT:
            return constant(self, builder, kind, values)
        return _in_memory(self, builder, kind, values)

    nvvm.compile_ir, CUDATargetContext.make_constant_array = exact, table
    try:
        yield
    finally:
        nvvm.compile_ir, CUDATargetContext.make_constant_array = compile_ir, constant


def _in_memory(context: Any, builder: Any, kind: Any, values: Any) -> Any:
    """An array in the card's memory, which comes with the code: once, however many functions read it."""
    from hashlib import sha256

    from llvmlite import ir
    from numba.cuda import cgutils, types
    from numba.cuda.cudadrv import nvvm

    data = values.tobytes()
    name = f"table_{sha256(data).hexdigest()[:16]}"
    place = builder.module.globals.get(name)
    if place is None:
        content = ir.Constant(ir.ArrayType(ir.IntType(8), len(data)), bytearray(data))
        place = cgutils.add_global_variable(builder.module, content.type, name, nvvm.ADDRSPACE_GLOBAL)
        place.linkage = "linkonce_odr"
        place.global_constant = True
        place.initializer = content
        place.align = 16
    array = context.make_array(kind)(context, builder)
    start = builder.addrspacecast(place, ir.PointerType(ir.IntType(8)), "generic")
    context.populate_array(
        array,
        data=builder.bitcast(start, array.data.type),
        shape=[context.get_constant(types.intp, length) for length in values.shape],
        strides=[context.get_constant(types.intp, step) for step in values.strides],
        itemsize=array.itemsize,
        parent=array.parent,
        meminfo=None,
    )
    return array._getvalue()


def _kept(function: Any, folder: str) -> Any:
    """A cache in a folder of ours; a damaged file or a full disk only means compiling again."""
    from numba.cuda.dispatcher import CUDACache, CUDACacheImpl

    class Implementation(CUDACacheImpl):  # type: ignore[misc] # Numba has no types
        _locator_classes = (ByDigest,)

    class SoundCache(CUDACache):  # type: ignore[misc]
        _impl_class = Implementation

        def __init__(self, function: Any) -> None:
            super().__init__(function)
            self._cache_file = sound_files(self)

        def load_overload(self, *arguments: Any) -> Any:
            try:
                return super().load_overload(*arguments)
            except Exception:
                return None

        def save_overload(self, *arguments: Any) -> None:
            with suppress(OSError):
                super().save_overload(*arguments)

    theirs = config.CACHE_DIR
    config.CACHE_DIR = folder
    try:
        return SoundCache(function)
    finally:
        config.CACHE_DIR = theirs
