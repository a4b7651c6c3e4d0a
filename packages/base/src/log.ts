// Where a program says things: what every part that logs takes, and what programs pass in. Pino's loggers fit.

/** What is said, with fields first and the message last. An Error goes into the field `err`. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
