"""The language server that corrects or diagnoses the failing edit calls of coding agents."""

__version__ = "0.1.0"
