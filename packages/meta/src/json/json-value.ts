// A JSON value as our reader returns it: integers beyond 2^53 that fit int64 are bigint.

export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject

export type JsonObject = { [key: string]: JsonValue }
