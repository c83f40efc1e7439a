// Its checks of types need to see which option is meant.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>

// The functions of libcurl, which is loaded once a mailbox needs it: with its own 30 libraries it takes 7 to 15 ms, and most
// commands need none of it.
typedef struct {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *handle);
    void (*easy_reset)(CURL *handle);
    CURLcode (*easy_perform)(CURL *handle);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
} caravan_curl;

// Finds the functions in a library that dlopen(3) opened. False if one is missing.
static inline _Bool caravan_curl_load(caravan_curl *curl, void *library) {
    *(void **)&curl->global_init = dlsym(library, "curl_global_init");
    *(void **)&curl->easy_init = dlsym(library, "curl_easy_init");
    *(void **)&curl->easy_cleanup = dlsym(library, "curl_easy_cleanup");
    *(void **)&curl->easy_reset = dlsym(library, "curl_easy_reset");
    *(void **)&curl->easy_perform = dlsym(library, "curl_easy_perform");
    *(void **)&curl->easy_setopt = dlsym(library, "curl_easy_setopt");
    *(void **)&curl->easy_getinfo = dlsym(library, "curl_easy_getinfo");
    *(void **)&curl->easy_strerror = dlsym(library, "curl_easy_strerror");
    *(void **)&curl->slist_append = dlsym(library, "curl_slist_append");
    *(void **)&curl->slist_free_all = dlsym(library, "curl_slist_free_all");
    return curl->global_init && curl->easy_init && curl->easy_cleanup && curl->easy_reset && curl->easy_perform &&
           curl->easy_setopt && curl->easy_getinfo && curl->easy_strerror && curl->slist_append && curl->slist_free_all;
}

// Swift can't call functions with a variable number of arguments: here is one for each type of argument.

static inline CURLcode caravan_curl_set_long(const caravan_curl *curl, CURL *handle, CURLoption option, long value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode caravan_curl_set_size(const caravan_curl *curl, CURL *handle, CURLoption option, curl_off_t value) {
    return curl->easy_setopt(handle, option, value);
}

// libcurl copies texts, all but a body.
static inline CURLcode caravan_curl_set_text(const caravan_curl *curl, CURL *handle, CURLoption option, const char *value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode caravan_curl_set_pointer(const caravan_curl *curl, CURL *handle, CURLoption option, void *value) {
    return curl->easy_setopt(handle, option, value);
}

typedef size_t (*caravan_curl_transfer)(char *bytes, size_t size, size_t count, void *context);

// For bytes and headers that arrive.
static inline CURLcode caravan_curl_set_transfer(
    const caravan_curl *curl, CURL *handle, CURLoption option, caravan_curl_transfer value) {
    return curl->easy_setopt(handle, option, value);
}

typedef int (*caravan_curl_progress)(void *context, curl_off_t in_all, curl_off_t in, curl_off_t out_all, curl_off_t out);

static inline CURLcode caravan_curl_set_progress(const caravan_curl *curl, CURL *handle, caravan_curl_progress value) {
    return curl->easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode caravan_curl_get_long(const caravan_curl *curl, CURL *handle, CURLINFO info, long *value) {
    return curl->easy_getinfo(handle, info, value);
}

static inline CURLcode caravan_curl_get_text(const caravan_curl *curl, CURL *handle, CURLINFO info, const char **value) {
    return curl->easy_getinfo(handle, info, value);
}
