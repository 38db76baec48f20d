"""Settings for all tests: a first call may have to compile, so Hypothesis sets no deadline."""

from hypothesis import settings

settings.register_profile("ninefold", deadline=None)
settings.load_profile("ninefold")
