#include <stddef.h>

/// The bytes that the allocator has handed out and not got back; 0 where it does not tell.
size_t allocated_bytes(void);

/// Has the allocator join what was given back to it, so that no later work pays for what earlier ones left.
void tidy_allocator(void);

/// The processor time that this process has taken.
double processor_seconds(void);

/// Calls `body`. Callgrind is told to collect in this function alone, and to write down what it collected when it ends.
void delta_measured(void (*body)(void));
