// What Embedded Swift asks of a system, for a WebAssembly module without one: memory, output, and random numbers for hash tables. Of WASI
// it uses five functions, which every runtime has.

#include <stddef.h>
#include <stdint.h>

struct Buffer { const char *start; size_t length; };

#define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))
WASI(args_sizes_get) int args_sizes_get(size_t *count, size_t *size);
WASI(args_get) int args_get(char **arguments, char *bytes);
WASI(fd_write) int fd_write(int file, const struct Buffer *buffers, size_t count, size_t *written);
WASI(random_get) int random_get(void *bytes, size_t count);
WASI(proc_exit) _Noreturn void proc_exit(int status);

int hold_laws(int seed, int steps, int runs, int mutants);

static int number(const char *digits) {
    int value = 0;
    for (; *digits; digits++) value = value * 10 + (*digits - '0');
    return value;
}

// MODULE SEED STEPS RUNS MUTANTS
__attribute__((export_name("_start"))) void start(void) {
    static char *arguments[5], bytes[4096];
    size_t count, size;
    args_sizes_get(&count, &size);
    if (count != 5 || size > sizeof bytes) proc_exit(64);
    args_get(arguments, bytes);
    proc_exit(hold_laws(number(arguments[1]), number(arguments[2]), number(arguments[3]), number(arguments[4])));
}

// MARK: Output

int putchar(int character) {
    static char line[4096];
    static size_t length;
    line[length++] = (char)character;
    if (character == '\n' || length == sizeof line) {
        struct Buffer buffer = {line, length};
        size_t written;
        fd_write(1, &buffer, 1, &written);
        length = 0;
    }
    return character;
}

void arc4random_buf(void *bytes, size_t count) { random_get(bytes, count); }

// MARK: Memory

// A block is of a power of two of bytes, behind 16 that hold the exponent. A freed one is used for blocks of its own size only, which does
// for short runs.
enum { HEAD = 16, PAGE = 65536 };
struct Block { struct Block *next; };
static struct Block *unused[32];
extern char __heap_base;

static char *block_of_new_memory(size_t size) {
    static uintptr_t top;
    if (!top) top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    uintptr_t end = __builtin_wasm_memory_size(0) * PAGE;
    if (end - top < size && __builtin_wasm_memory_grow(0, (size - (end - top) + PAGE - 1) / PAGE) == (size_t)-1) __builtin_trap();
    top += size;
    return (char *)(top - size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    int exponent = size <= 16 ? 4 : 32 - __builtin_clzl(size - 1);
    if (alignment > 16 || exponent > 30) __builtin_trap();
    struct Block *block = unused[exponent];
    if (block) {
        unused[exponent] = block->next;
    } else {
        char *head = block_of_new_memory(HEAD + ((size_t)1 << exponent));
        *(int *)head = exponent;
        block = (struct Block *)(head + HEAD);
    }
    *result = block;
    return 0;
}

void free(void *memory) {
    if (!memory) return;
    int exponent = *(int *)((char *)memory - HEAD);
    struct Block *block = memory;
    block->next = unused[exponent];
    unused[exponent] = block;
}

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    for (; count; count--, a++, b++)
        if (*a != *b) return *a - *b;
    return 0;
}

// MARK: Arithmetic

struct Wide { uint64_t low, high; };

// The product of two numbers of 128 bits, which the compiler calls for the full product of two of 64.
struct Wide __multi3(uint64_t a, uint64_t aHigh, uint64_t b, uint64_t bHigh) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    struct Wide product = {other << 32 | (uint32_t)low, a1 * b1 + (middle >> 32) + (other >> 32) + a * bHigh + aHigh * b};
    return product;
}

// Halves go away from zero.
double round(double number) {
    double whole = __builtin_trunc(number);
    return __builtin_fabs(number - whole) >= 0.5 ? whole + __builtin_copysign(1, number) : whole;
}
