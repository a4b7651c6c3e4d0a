// Where an executor or an operator says things when its program gives it no log: warnings and errors, one line of JSON each.

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const stderrLog: Log = {
  debug() {},
  info() {},
  warn: (fields, message) => write('warn', fields, message),
  error: (fields, message) => write('error', fields, message),
}

function write(level: string, fields: object, message: string): void {
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), message, ...readable(fields) })}\n`)
}

/** Errors have no fields of their own to be written. */
function readable(fields: object): object {
  const entries = Object.entries(fields).map(([name, value]) =>
    value instanceof Error ? ([name === 'err' ? 'error' : name, value.message] as const) : ([name, value] as const),
  )
  return Object.fromEntries(entries)
}
