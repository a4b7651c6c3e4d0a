// What our JSON reader gives: JSON, with integers beyond 2^53 that fit int64 as bigint.

export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject

export type JsonObject = { [key: string]: JsonValue }
