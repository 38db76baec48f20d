"""Values of options that a study tries; of the others it tries those that are obvious."""

VALUES: dict[str, tuple[object, ...]] = {"turn_limit": (8,)}
