// Reads one line that the operator's process wrote: a log line in JSON, of our own logs or of pino, or anything else. Pure.

export type Level = 'debug' | 'info' | 'warn' | 'error'

export interface LogEntry {
  readonly level: Level
  readonly message: string
  /** The object that the line is about, e.g. `Site default/blog`. */
  readonly object: string | undefined
  /** What else the line says. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly stack: string | undefined
}

/** Undefined for a line that is not of a log. */
export function readLogLine(line: string): LogEntry | undefined {
  const {
    level,
    time: _,
    message,
    msg,
    kind,
    name,
    namespace,
    error,
    err,
    stack,
    pid: __,
    hostname: ___,
    ...rest
  } = parsed(line)
  const text = message ?? msg
  const known = levelOf(level)
  if (known === undefined || typeof text !== 'string') return undefined
  const about = objectName(kind, namespace, name)
  const thrown = isRecord(err) ? err : { message: error ?? err, stack }
  return {
    level: known,
    message: thrown.message === undefined ? text : `${text}: ${String(thrown.message)}`,
    object: about,
    fields: about === undefined ? present({ kind, namespace, name, ...rest }) : rest,
    stack: typeof thrown.stack === 'string' ? thrown.stack : undefined,
  }
}

/** `Site default/blog`; undefined unless a kind and a name are given. */
export function objectName(kind: unknown, namespace: unknown, name: unknown): string | undefined {
  if (typeof kind !== 'string' || typeof name !== 'string') return undefined
  return `${kind} ${typeof namespace === 'string' ? `${namespace}/` : ''}${name}`
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  if (!line.startsWith('{')) return {}
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Pino writes numbers: 10 is trace, 60 is fatal. */
function levelOf(level: unknown): Level | undefined {
  if (typeof level === 'number') return level < 30 ? 'debug' : level < 40 ? 'info' : level < 50 ? 'warn' : 'error'
  return LEVELS[String(level)]
}

const LEVELS: Readonly<Record<string, Level>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  fatal: 'error',
}

function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
