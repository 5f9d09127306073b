"""Recording: the witness of a run, and the way from journals to a cassette."""
