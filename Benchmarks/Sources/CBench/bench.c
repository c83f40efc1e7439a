#include "bench.h"

#include <stdlib.h>
#include <time.h>

double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

#ifdef __GLIBC__
#include <malloc.h>
size_t allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void tidy_allocator(void) { malloc_trim(0); }
#else
size_t allocated_bytes(void) { return 0; }

void tidy_allocator(void) {}
#endif

__attribute__((noinline)) void delta_measured(void (*body)(void)) {
    body();
    // Not a jump: the function must be seen to end.
    __asm__ volatile("");
}
