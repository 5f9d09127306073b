"""The proxy: the shim named agy, the recorder, the player and the command line."""

VERSION = "0.1.0"
"""The tool's version, written into every record; kept equal to pyproject by a test."""

__all__ = ["VERSION"]
