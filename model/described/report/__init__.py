"""What is said of a described network: a table, and sentences."""
