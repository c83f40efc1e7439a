"""A node by Documentation/Protocol.md and nothing else: the second implementation, which ours is held against.

Each module is a section of that page, and is plain rather than quick: sets of changes are held in memory and everything
is derived from them again each time.
"""
