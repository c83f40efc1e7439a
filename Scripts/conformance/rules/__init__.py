"""The rules of membership (Documentation/Protocol.md, sections 3 to 5), and the searches that hold them against their laws."""
