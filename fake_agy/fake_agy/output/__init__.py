"""What a call prints: text, one JSON object, a stream of JSON lines."""
