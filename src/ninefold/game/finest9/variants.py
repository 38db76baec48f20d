"""Values of options that a study tries; of the others it tries those that are obvious."""

VALUES: dict[str, tuple[object, ...]] = {"clear_bonus": (20,)}
