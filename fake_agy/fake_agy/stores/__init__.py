"""What agy keeps on disk under HOME: transcripts, databases, caches, logs."""
