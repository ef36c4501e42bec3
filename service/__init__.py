"""The HTTP service around the rules: thin, stateless, everything kept in Redis."""

__version__ = "0.1.0"
