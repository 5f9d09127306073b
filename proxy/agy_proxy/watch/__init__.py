"""Following the transcripts of a store as agy writes them."""
