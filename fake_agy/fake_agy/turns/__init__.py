"""One turn: what the model does, what is stored, how the call ends."""
