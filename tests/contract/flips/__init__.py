"""For every behaviour of the double's table: the calls under which its value makes a difference."""
