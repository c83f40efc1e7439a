// Furnished in a following change.
