"""The shim itself; it runs on its own interpreter and imports nothing but what is built in."""
