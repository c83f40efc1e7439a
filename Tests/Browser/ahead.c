// Lets a program's clock go ahead by the seconds that the file $CLOCK_AHEAD says, from when it is there (LD_PRELOAD).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, time);
    const char *path = getenv("CLOCK_AHEAD");
    FILE *file = clock == CLOCK_REALTIME && path ? fopen(path, "re") : NULL;
    long seconds = 0;
    if (file && fscanf(file, "%ld", &seconds) == 1) time->tv_sec += seconds;
    if (file) fclose(file);
    return status;
}
