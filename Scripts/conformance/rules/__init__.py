"""The rules of membership of Documentation/Rules.md as a model, and the searches that hold them against their laws."""
