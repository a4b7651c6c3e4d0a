// The log that every part takes as an argument and programs pass in. Pino's loggers fit.

/** Logs one line: fields first, the message last. An Error goes into the field `err`. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Discards everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
