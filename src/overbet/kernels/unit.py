"""A kernel that Python calls is compiled as one unit with all that it calls.

Numba makes machine code and a wrapper for Python of every function it meets, and links its optimised code
into the caller, where it is optimised again: a function five calls deep is optimised five times. Here a
function that is called by a kernel is a part: typed and translated, but no machine code. The kernel that
Python calls is a unit: it links its parts, each once, makes them private, and is optimised once as a whole.
That is what a compiler of C does with one file, and like there private functions may be called as it pleases.

A function may be both, by who calls it. Numba's own helpers (ranges, allocation, overloads) are parts too.
"""

# Numba's own parts have no types that a checker could follow.
# mypy: disable-error-code="no-untyped-call, attr-defined, misc, assignment, has-type"

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

from llvmlite import binding
from numba import _dynfunc as functions
from numba import extending
from numba.core import (
    codegen,
    compiler,
    cpu,
    dispatcher,
    environment,
    errors,
    event,
    registry,
    sigutils,
    types,
    typing,
)
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys

from overbet.kernels.cache import compiling, is_kept
from overbet.kernels.quicker import quicker_typing
from overbet.kernels.told import told

# What the next version of numba may change: tests hold it.
_Library: Any = codegen.JITCodeLibrary
_Codegen: Any = codegen.JITCPUCodegen
_Context: Any = cpu.CPUContext
_Dispatcher: Any = registry.CPUDispatcher
_FunctionCompiler: Any = dispatcher._FunctionCompiler
_ENVIRONMENT = "_ZN08NumbaEnv"  # how globals begin that point to a function's Python objects
_UNRESOLVED = ".numba.unresolved$"  # how pointers begin to functions that call each other in a circle


class Parallel(_Dispatcher):
    """A function with parallel loops, compiled as numba does, also where a kernel calls it."""

    def initialise(self, function: Any, options: dict[str, Any]) -> None:
        """Do what numba's decorator does."""
        _Dispatcher.__init__(self, function, targetoptions=dict(options))

    def compile(self, sig: Any) -> Any:
        """Return machine code for the types of a signature."""
        with global_compiler_lock, _whole():
            return super().compile(sig)


class Kernel(_Dispatcher):
    """A compiled function.

    `parts` has, by the types of the arguments, the result of compilation for other kernels and the key
    under which numba's table of functions has it.
    """

    parts: dict[tuple[Any, ...], tuple[Any, Any]]

    def initialise(self, function: Any, options: dict[str, Any]) -> None:
        """Do what numba's decorator does, and compile units for Python and parts for other kernels."""
        _Dispatcher.__init__(self, function, targetoptions=dict(options))
        plain = self._compiler
        self.parts = {}
        self._compiler = _Compiler(
            plain.py_func, plain.targetdescr, plain.targetoptions, plain.locals, plain.pipeline_class
        )

    def compile(self, sig: Any) -> Any:
        """Return a function for Python for the types of a signature, from the disk where it is kept there."""
        args = tuple(sigutils.normalize_signature(sig)[0])
        if is_kept(self, args):
            return super().compile(sig)
        with compiling(self):
            return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how a kernel calls this function: numba asks when it types the caller."""
        pysig, args = self._compiler.fold_argument_types(
            tuple(map(_kind, args)), {name: _kind(value) for name, value in kws.items()}
        )
        result, _ = self._part(tuple(args))
        name = self.py_func.__name__
        template = typing.make_concrete_template(
            f"CallTemplate({name})", key=name, signatures=[result.signature]
        )
        return template, pysig, args, {}

    def get_overload(self, sig: Any) -> Any:
        """Return the key of the function in numba's table: numba asks when it translates a call."""
        args, _ = sigutils.normalize_signature(sig)
        return self._part(tuple(args))[1]

    def _part(self, args: tuple[Any, ...]) -> tuple[Any, Any]:
        with global_compiler_lock, self._compiling_counter:
            if args not in self.parts:
                details = {"dispatcher": self, "args": args, "return_type": None}
                with event.trigger_event("numba:compile", data=details):
                    result = self._compiler.part(args)
                self.parts[args] = result, result.entry_point
            return self.parts[args]


def _kind(value: Any) -> Any:
    """Return the type a part is compiled for: not a constant, and one of the sizes of a signed number.

    Numba would compile a function once more for every constant that somebody writes and for every size of
    number in which he holds it. Its arithmetic on signed numbers is 64 bits wide anyway.
    """
    plain = types.unliteral(value)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


class _Compiler(_FunctionCompiler):
    """Compiles a function: a unit where numba asks for machine code, a part where a kernel calls it."""

    def part(self, args: tuple[Any, ...]) -> Any:
        """Return the result for callers; its entry point is only a key."""
        try:
            return self._made(Part, args, None)
        except errors.ForceLiteralArg as error:
            raise error.bind_fold_arguments(
                lambda args, kws: self.fold_argument_types(args, kws)[1]
            ) from error

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        for tell in told:
            tell(self.py_func.__name__)
        self.targetdescr.target_context.refresh()  # what the cache does without
        self.targetdescr.typing_context.refresh()
        return self._made(KernelUnit, args, return_type)

    def _made(self, kind: Any, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_cfunc_wrapper = True
        flags.no_cpython_wrapper = kind is Part
        target = self.targetdescr.target_context
        library = kind(target.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        with _helpers_are_parts(), quicker_typing():
            return compiler.compile_extra(
                self.targetdescr.typing_context,
                target,
                self.py_func,
                args=args,
                return_type=return_type,
                flags=flags,
                locals=self.locals,
                library=library,
                pipeline_class=self.pipeline_class,
            )


class Part(_Library):
    """The code of a function for those who call it, simplified but not optimised, and no machine code."""

    def finalize(self) -> None:
        """Take no more code; nothing is compiled. Numba's helpers may be in several parts: one is enough."""
        for function in _defined(self._final_module):
            if function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code with all that it calls, for code that is not a unit (numba's parallel loops)."""
        if self._shared_module is None:
            whole = self._final_module.clone()
            for library in _called(self):
                whole.link_in(_alone(library), preserve=True)
            self._shared_module = whole
        return self._shared_module


class KernelUnit(_Library):
    """The code of a kernel that Python calls, with all that it calls."""

    _public: tuple[str, ...]

    def finalize(self) -> None:
        """Link all parts and make machine code."""
        self._raise_if_finalized()
        whole = self._final_module
        self._public = tuple(function.name for function in _defined(whole))
        own = {variable.name for variable in whole.global_variables}
        for library in _called(self):
            self._reload_init.update(library._reload_init)
            whole.link_in(_alone(library), preserve=True)
        if not any(variable.name.startswith(_UNRESOLVED) for variable in whole.global_variables):
            for function in _defined(whole):
                if function.name not in self._public:
                    function.linkage = "internal"
            for variable in whole.global_variables:  # a part's Python objects, which few use: left out then
                if variable.name.startswith(_ENVIRONMENT) and variable.name not in own:
                    variable.linkage = "linkonce_any"
        self._optimize_final_module()
        whole.verify()
        self._finalize_final_module()
        for variable in whole.global_variables:
            if not variable.name.startswith(_ENVIRONMENT):
                continue
            found = environment.lookup_environment(variable.name)
            if found is not None:
                self._codegen.set_env(variable.name, found)

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Return what the cache keeps: machine code, and a module that names what is in it.

        Numba keeps the intermediate code beside it, for linking, and reads the names of the functions there.
        Units are not linked.
        """
        names = "".join(f'define void @"{name}"() {{ ret void }}\n' for name in self._public)
        return self.name, "object", (self._get_compiled_object(), binding.parse_assembly(names).as_bitcode())


def _defined(module: Any) -> list[Any]:
    return [function for function in module.functions if not function.is_declaration]


def _alone(library: Any) -> Any:
    """Return the module of a part without what it calls, or a finished module that is not ours."""
    return library._final_module if isinstance(library, Part) else library._get_module_for_linking()


def _called(library: Any) -> list[Any]:
    """Return all libraries that a library calls, directly or not, each once."""
    found: dict[int, Any] = {}
    waiting = list(library._linking_libraries)
    while waiting:
        one = waiting.pop()
        if id(one) not in found:
            found[id(one)] = one
            waiting += one._linking_libraries if isinstance(one, Part) else []
    found.pop(id(library), None)
    return list(found.values())


class _Compilers:
    """What numba makes libraries and functions with, and what a unit is made with."""

    create: Any = _Codegen.create_library
    execute: Any = _Context.get_executable


@contextmanager
def _helpers_are_parts() -> Iterator[None]:
    """Make parts of all that numba compiles on the way; collecting garbage there gains nothing, so wait.

    Whoever compiles holds numba's lock, so no other thread sees this.
    """
    arrays, words = _fixed_words()
    with _with(_create_part, _key_or_function):
        collecting, before = gc.isenabled(), arrays.raise_with_shape_context
        gc.disable()
        arrays.raise_with_shape_context = words
        try:
            yield
        finally:
            arrays.raise_with_shape_context = before
            if collecting:
                gc.enable()


def _whole() -> AbstractContextManager[None]:
    """Compile as numba does: code of parallel loops is called by its address, and must be machine code."""
    return _with(_Compilers.create, _Compilers.execute)


@contextmanager
def _with(create: Any, execute: Any) -> Iterator[None]:
    before = _Codegen.create_library, _Context.get_executable
    _Codegen.create_library, _Context.get_executable = create, execute
    try:
        yield
    finally:
        _Codegen.create_library, _Context.get_executable = before


def _create_part(maker: Any, name: str, **options: Any) -> Part:
    return Part(maker, name, **options)


@cache
def _fixed_words() -> tuple[Any, Any]:
    """Return numba's module of arrays, and what it is to call where an array does not fit a slice.

    Its own message has the shapes, and for their text it compiles forty functions.
    """
    from numba.np import arrayobj

    def raise_of_other_shape(source: Any, index: Any) -> None:
        """Stand for the compiled one."""

    @extending.overload(raise_of_other_shape)
    def _(source: Any, index: Any) -> Any:
        def raised(source: Any, index: Any) -> None:
            raise ValueError("cannot assign an array to a slice of another shape")

        return raised

    return arrayobj, raise_of_other_shape


def _key_or_function(context: Any, library: Any, fndesc: Any, objects: Any) -> Any:
    """Return a function for Python; of a part a key for numba's table, which takes functions only."""
    if not isinstance(library, Part):
        return _Compilers.execute(context, library, fndesc, objects)
    nothing = rtsys.library.get_pointer_to_function("nrt_unresolved_abort")  # nobody calls it
    name = fndesc.qualname.split(".")[-1]
    return functions.make_function(fndesc.lookup_module(), name, "a part", nothing, objects, (library,))
