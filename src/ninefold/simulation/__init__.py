"""Many games at once: batches on all cores, statistics in constant memory."""
