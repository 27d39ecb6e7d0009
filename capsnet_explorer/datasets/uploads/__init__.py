"""Sets of pictures that strangers upload: read within limits, by a separate process."""
