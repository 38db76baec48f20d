"""Calls from a kernel to a bot compiled later, by its address, so that no driver is compiled for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninefold.kernel.compile import COMPILED

if TYPE_CHECKING or not COMPILED:

    def call_at(address: int, s: Any, seat: int, slot: Any, stream: Any) -> int:
        """The move of the bot at an address; interpreted, there are no addresses."""
        raise NotImplementedError

    def address_of(compiled: Any, types: Any) -> int:
        """The address of a compiled bot."""
        raise NotImplementedError

else:
    from numba import types as kinds
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def call_at(typing_context, address, s, seat, slot, stream):  # noqa: ARG001 (the shape Numba asks for)
        """The move of the bot at an address; an exception that it raises goes on to the caller."""

        def generate(context, builder, signature, arguments):
            convention = context.call_conv
            own = signature.args[1:]
            shape = convention.get_function_type(kinds.int64, own)
            function = builder.inttoptr(arguments[0], shape.as_pointer())
            status, move = convention.call_function(builder, function, kinds.int64, own, arguments[1:])
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return move

        return kinds.int64(kinds.int64, s, kinds.int64, slot, stream), generate

    def address_of(compiled: Any, types: Any) -> int:
        """The address of a compiled bot for some types of arguments; the bot has to be kept alive."""
        compiled.compile(types)
        made = compiled.overloads[types]
        return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))
