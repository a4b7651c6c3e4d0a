// The default log of an executor or an operator: lines on stderr, readable on a terminal and JSON elsewhere, from the level
// on that HOMEOSTAT_LOG_LEVEL names.

import type { Log } from './log.ts'
import { safeJson } from './safe-json.ts'

interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

/** What the server's levels mean here, where there are fewer. */
const LEAST: Readonly<Record<string, number>> = { trace: 0, debug: 0, info: 1, warn: 2, error: 3, fatal: 3, silent: 4 }

export function stderrLog(
  env: Readonly<Record<string, string | undefined>> = process.env,
  output: Output = process.stderr,
): Log {
  const wanted = env.HOMEOSTAT_LOG_LEVEL || 'info'
  const least = LEAST[wanted.toLowerCase()]
  const line = output.isTTY === true ? readableLine : jsonLine
  const say = (level: Level) => (fields: object, message: string) => {
    if (LEVELS.indexOf(level) < (least ?? 1)) return
    output.write(`${line({ level, time: new Date().toISOString(), message }, plain(fields))}\n`)
  }
  const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
  if (least === undefined) {
    const names = Object.keys(LEAST).join(', ')
    log.warn({}, `HOMEOSTAT_LOG_LEVEL is ${wanted}, which is none of ${names}; info is used`)
  }
  return log
}

interface Entry {
  readonly level: Level
  readonly time: string
  readonly message: string
}

function jsonLine(entry: Entry, fields: Readonly<Record<string, unknown>>): string {
  return safeJson({ ...entry, ...fields }) ?? JSON.stringify(entry)
}

/** `12:00:00 WARN  the server is not reached  server=http://127.0.0.1:3000`, with a stack below it. */
function readableLine({ level, time, message }: Entry, fields: Readonly<Record<string, unknown>>): string {
  const { stack, ...rest } = fields
  const shown = Object.entries(rest).map(([name, value]) => `${name}=${inOneWord(value)}`)
  const head = [`${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${message}`, ...shown].join('  ')
  return typeof stack === 'string' ? `${head}\n${stack.replace(/^/gm, '    ')}` : head
}

function inOneWord(value: unknown): string {
  const text = typeof value === 'string' ? value : (safeJson(value) ?? String(value))
  return typeof value === 'string' && /[\s"=]/.test(text) ? JSON.stringify(text) : text
}

/** Errors have no fields of their own to be written. */
function plain(fields: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (!(value instanceof Error)) return value === undefined ? [] : [[name, value]]
    const stack = isExpected(value) ? undefined : stackOf(value)
    return [
      [name === 'err' ? 'error' : name, value.message],
      ...(stack === undefined ? [] : [['stack', stack] as [string, string]]),
    ]
  })
  return Object.fromEntries(entries)
}

/** By name, since a program may have two copies of a package. */
const EXPECTED = new Set(['StatusError', 'ConnectionError', 'AbortError', 'TimeoutError', 'Waiting', 'PermanentError'])

/** An error whose message is enough: its stack would not help. */
function isExpected(error: Error): boolean {
  if (error.name === 'Terminal') return !(error.cause instanceof Error) || isExpected(error.cause)
  return EXPECTED.has(error.name)
}

function stackOf(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`
  return error.cause instanceof Error ? `${own}\nCaused by: ${stackOf(error.cause)}` : own
}
