"""Files on this machine: where data is kept, and journals that survive a crash."""
