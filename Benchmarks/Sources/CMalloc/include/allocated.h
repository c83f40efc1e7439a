#include <stddef.h>

/// The bytes that the allocator has handed out and not got back; 0 where it does not tell.
size_t allocated_bytes(void);
