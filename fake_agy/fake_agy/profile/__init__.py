"""How each version of agy behaves: one table, resolved to the set of one version."""
