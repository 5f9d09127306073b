"""How Go writes and reads things: JSON, numbers, durations, command lines."""
