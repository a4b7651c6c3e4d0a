// Where an executor says things when its program gives it no log: warnings and errors, one line of JSON each.

/** The operator framework's logs have the same shape. */
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
  const said = Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.message : value])
  const line = { level, time: new Date().toISOString(), message, ...Object.fromEntries(said) }
  process.stderr.write(`${JSON.stringify(line)}\n`)
}
