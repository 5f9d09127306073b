"""agy on a terminal: an interactive session in outline, and print mode where its output is a terminal."""
