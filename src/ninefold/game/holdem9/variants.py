"""Values of options that a study tries; of the others it tries those that are obvious."""

VALUES: dict[str, tuple[object, ...]] = {"hands": (12,), "ante": (5,), "stack": (200, 5_000)}
