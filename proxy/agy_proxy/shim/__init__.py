"""What runs as `agy`: the shim, its settings, its file, and putting it in place."""
