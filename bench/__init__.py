"""What is timed, and how: each module here is called by a benchmark, never by the service."""
