"""A run: a client gets its PATH and HOME, and what its calls of agy came to is told. The parts meet here."""
