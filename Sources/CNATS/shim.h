#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// The functions of libnats 3 that a mailbox needs, which is loaded once one is opened. What they point to is opaque, so its
// headers aren't needed, and no build links it.

typedef void (*caravan_nats_heard)(void *connection, void *subscription, void *message, void *context);
typedef void (*caravan_nats_failed)(void *connection, void *subscription, int status, void *context);
typedef void (*caravan_nats_completed)(void *context);

typedef struct {
    int (*options_create)(void **options);
    int (*options_set_url)(void *options, const char *url);
    int (*options_set_user)(void *options, const char *user, const char *password);
    int (*options_set_token)(void *options, const char *token);
    int (*options_set_name)(void *options, const char *name);
    int (*options_set_timeout)(void *options, int64_t milliseconds);
    int (*options_set_reconnects)(void *options, bool reconnects);
    int (*options_set_no_echo)(void *options, bool has_no_echo);
    int (*options_set_ping_interval)(void *options, int64_t milliseconds);
    int (*options_set_pings_out_max)(void *options, int count);
    int (*options_set_inbox_prefix)(void *options, const char *prefix);
    int (*options_set_error_handler)(void *options, caravan_nats_failed handler, void *context);
    int (*options_set_secure)(void *options, bool is_secure);
    int (*options_set_host)(void *options, const char *host);
    int (*options_load_certificates)(void *options, const char *path);
    void (*options_destroy)(void *options);
    int (*connect)(void **connection, void *options);
    int (*connection_status)(void *connection);
    int64_t (*connection_max_payload)(void *connection);
    int (*connection_last_error)(void *connection, const char **text);
    int (*connection_flush)(void *connection, int64_t milliseconds);
    void (*connection_close)(void *connection);
    void (*connection_destroy)(void *connection);
    int (*publish_request)(void *connection, const char *subject, const char *reply, const void *bytes, int count);
    int (*publish)(void *connection, const char *subject, const void *bytes, int count);
    int (*publish_message)(void *connection, void *message);
    int (*subscribe)(
        void **subscription, void *connection, const char *subject, caravan_nats_heard handler, void *context);
    int (*subscribe_sync)(void **subscription, void *connection, const char *subject);
    int (*subscription_next)(void **message, void *subscription, int64_t milliseconds);
    int (*subscription_on_complete)(void *subscription, caravan_nats_completed handler, void *context);
    int (*unsubscribe)(void *subscription);
    void (*subscription_destroy)(void *subscription);
    int (*message_create)(void **message, const char *subject, const char *reply, const char *bytes, int count);
    int (*message_set_header)(void *message, const char *key, const char *value);
    int (*message_header)(void *message, const char *key, const char **value);
    const char *(*message_subject)(const void *message);
    const char *(*message_reply)(const void *message);
    const char *(*message_bytes)(const void *message);
    int (*message_count)(const void *message);
    void (*message_destroy)(void *message);
    const char *(*status_text)(int status);
} caravan_nats;

// Finds the functions in a library that dlopen(3) opened. False if one is missing.
static inline bool caravan_nats_load(caravan_nats *nats, void *library) {
    struct {
        void **function;
        const char *name;
    } wanted[] = {
        {(void **)&nats->options_create, "natsOptions_Create"},
        {(void **)&nats->options_set_url, "natsOptions_SetURL"},
        {(void **)&nats->options_set_user, "natsOptions_SetUserInfo"},
        {(void **)&nats->options_set_token, "natsOptions_SetToken"},
        {(void **)&nats->options_set_name, "natsOptions_SetName"},
        {(void **)&nats->options_set_timeout, "natsOptions_SetTimeout"},
        {(void **)&nats->options_set_reconnects, "natsOptions_SetAllowReconnect"},
        {(void **)&nats->options_set_no_echo, "natsOptions_SetNoEcho"},
        {(void **)&nats->options_set_ping_interval, "natsOptions_SetPingInterval"},
        {(void **)&nats->options_set_pings_out_max, "natsOptions_SetMaxPingsOut"},
        {(void **)&nats->options_set_inbox_prefix, "natsOptions_SetCustomInboxPrefix"},
        {(void **)&nats->options_set_error_handler, "natsOptions_SetErrorHandler"},
        {(void **)&nats->options_set_secure, "natsOptions_SetSecure"},
        {(void **)&nats->options_set_host, "natsOptions_SetExpectedHostname"},
        {(void **)&nats->options_load_certificates, "natsOptions_LoadCATrustedCertificates"},
        {(void **)&nats->options_destroy, "natsOptions_Destroy"},
        {(void **)&nats->connect, "natsConnection_Connect"},
        {(void **)&nats->connection_status, "natsConnection_Status"},
        {(void **)&nats->connection_max_payload, "natsConnection_GetMaxPayload"},
        {(void **)&nats->connection_last_error, "natsConnection_GetLastError"},
        {(void **)&nats->connection_flush, "natsConnection_FlushTimeout"},
        {(void **)&nats->connection_close, "natsConnection_Close"},
        {(void **)&nats->connection_destroy, "natsConnection_Destroy"},
        {(void **)&nats->publish_request, "natsConnection_PublishRequest"},
        {(void **)&nats->publish, "natsConnection_Publish"},
        {(void **)&nats->publish_message, "natsConnection_PublishMsg"},
        {(void **)&nats->subscribe, "natsConnection_Subscribe"},
        {(void **)&nats->subscribe_sync, "natsConnection_SubscribeSync"},
        {(void **)&nats->subscription_next, "natsSubscription_NextMsg"},
        {(void **)&nats->subscription_on_complete, "natsSubscription_SetOnCompleteCB"},
        {(void **)&nats->unsubscribe, "natsSubscription_Unsubscribe"},
        {(void **)&nats->subscription_destroy, "natsSubscription_Destroy"},
        {(void **)&nats->message_create, "natsMsg_Create"},
        {(void **)&nats->message_set_header, "natsMsgHeader_Set"},
        {(void **)&nats->message_header, "natsMsgHeader_Get"},
        {(void **)&nats->message_subject, "natsMsg_GetSubject"},
        {(void **)&nats->message_reply, "natsMsg_GetReply"},
        {(void **)&nats->message_bytes, "natsMsg_GetData"},
        {(void **)&nats->message_count, "natsMsg_GetDataLength"},
        {(void **)&nats->message_destroy, "natsMsg_Destroy"},
        {(void **)&nats->status_text, "natsStatus_GetText"},
    };
    for (unsigned place = 0; place < sizeof wanted / sizeof wanted[0]; place++) {
        *wanted[place].function = dlsym(library, wanted[place].name);
        if (!*wanted[place].function) return false;
    }
    return true;
}
