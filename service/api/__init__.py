"""The endpoints under `/v1`: each parses, asks the rules, answers."""
