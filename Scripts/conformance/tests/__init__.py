"""The sections of Documentation/Protocol.md, each with hostile input."""
