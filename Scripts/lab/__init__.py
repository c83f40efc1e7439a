"""A LAN in network namespaces, and what is shown on it."""
