"""One translation unit for each kernel that Python calls.

Numba compiles every function it meets to machine code of its own, with a wrapper for Python, and then links
its optimised code into the caller, where it is optimised again: a function five calls deep is optimised five
times. Here a function that is called from a kernel is only a part: typed and translated, neither optimised nor
made machine code. The kernel that Python calls links all its parts, each once, and is optimised once as a whole,
with everything but its own entry private to it. That is what a compiler of C does with one file.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core import compiler, errors, sigutils, typing
from numba.core import event as events
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler
from numba.core.lowering import Environment  # noqa: F401
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys

LEVEL = 3


class Part(JITCodeLibrary):
    """The code of a function for those who call it: neither optimised nor made machine code."""

    def finalize(self) -> None:
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code with all that it calls, for code that is not linked as a unit."""
        if self._shared_module is None:
            whole = self._final_module.clone()
            for library in closure(self)[1:]:
                whole.link_in(bare(library), preserve=True)
            for function in list(whole.functions):
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = whole
        return self._shared_module


class Unit(JITCodeLibrary):
    """The code of a kernel that Python calls, with all its parts."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        public = {f.name for f in self._final_module.functions if not f.is_declaration}
        for library in closure(self)[1:]:
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(bare(library), preserve=True)
        if not any(g.name.startswith(".numba.unresolved$") for g in self._final_module.global_variables):
            for function in self._final_module.functions:
                if not function.is_declaration and function.name not in public:
                    function.linkage = "internal"
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _get_module_for_linking(self) -> Any:
        raise RuntimeError("a unit is not linked")

    def serialize_using_object_code(self) -> Any:
        """Without the intermediate code: nobody links a unit."""
        self._ensure_finalized()
        names = binding.parse_assembly("")
        return (self.name, "object", (self._get_compiled_object(), self._declared()))

    def _declared(self) -> bytes:
        return self._final_module.as_bitcode()


def bare(library: Any) -> Any:
    """Return the module of a library alone."""
    return library._final_module if isinstance(library, Part) else library._get_module_for_linking()


def closure(library: Any) -> list[Any]:
    """Return a library and all that it calls, directly or not, each once."""
    found: dict[int, Any] = {}
    waiting = [library]
    while waiting:
        one = waiting.pop()
        if id(one) in found:
            continue
        found[id(one)] = one
        if isinstance(one, (Part, Unit)):
            waiting += one._linking_libraries
    return list(found.values())


class Compiler(_FunctionCompiler):
    """Compiles a function as a unit or as a part."""

    def one(self, args: Any, return_type: Any, part: bool) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_cfunc_wrapper = True
        if part:
            flags.no_cpython_wrapper = True
            flags.no_compile = True
        target = self.targetdescr.target_context
        codegen = target.codegen()
        library = (Part if part else Unit)(codegen, self.py_func.__qualname__)
        library.enable_object_caching()
        return compiler.compile_extra(
            self.targetdescr.typing_context, target, self.py_func, args=args, return_type=return_type,
            flags=flags, locals=self.locals, library=library, pipeline_class=self.pipeline_class,
        )

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        return self.one(args, return_type, False)


class Kernel(CPUDispatcher):
    """A dispatcher whose function is a unit for Python and a part for other kernels."""

    def part(self, args: tuple[Any, ...]) -> Any:
        """Return the compile result of the function as a part."""
        parts = self.__dict__.setdefault("parts", {})
        with global_compiler_lock, self._compiling_counter:
            found = parts.get(args)
            if found is None:
                details = {"dispatcher": self, "args": args, "return_type": None}
                with events.trigger_event("numba:compile", data=details):
                    try:
                        found = self._compiler.one(args, None, True)
                    except errors.ForceLiteralArg as error:
                        raise error.bind_fold_arguments(
                            lambda args, kws: self._compiler.fold_argument_types(args, kws)[1])
                key = Key()
                found = (found, key)
                self.targetctx.insert_user_function(key, found[0].fndesc, [found[0].library])
                parts[args] = found
        return found

    def get_call_template(self, args: Any, kws: Any) -> Any:
        pysig, args = self._compiler.fold_argument_types(args, kws)
        found = self.part(tuple(args))
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=[found[0].signature])
        return template, pysig, args, {}

    def get_overload(self, sig: Any) -> Any:
        args, _ = sigutils.normalize_signature(sig)
        return self.part(tuple(args))[1]


class Key:
    """What a part is found by in numba's table of functions."""


def united(dispatcher: Any) -> Any:
    dispatcher.__class__ = Kernel
    old = dispatcher._compiler
    dispatcher._compiler = Compiler(old.py_func, old.targetdescr, old.targetoptions, old.locals, old.pipeline_class)
    return dispatcher
