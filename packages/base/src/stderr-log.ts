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
  const writer = (level: Level) => (fields: object, msg: string) => {
    if (LEVELS.indexOf(level) < (least ?? 1)) return
    output.write(`${line({ level, time: new Date().toISOString(), msg }, fields)}\n`)
  }
  const log = { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
  if (least === undefined) {
    const names = Object.keys(LEAST).join(', ')
    log.warn({}, `HOMEOSTAT_LOG_LEVEL is ${wanted}, which is none of ${names}; info is used`)
  }
  return log
}

interface Entry {
  readonly level: Level
  readonly time: string
  readonly msg: string
}

/** The same names as in the server's log. */
function jsonLine({ level, time, msg }: Entry, fields: object): string {
  const shown = Object.entries(fields).map(([name, value]) => [name, isExpected(value) ? withoutStack(value) : value])
  return safeJson({ level, time, ...Object.fromEntries(shown), msg }) ?? JSON.stringify({ level, time, msg })
}

function withoutStack(error: Error): object {
  return { type: error.constructor.name, message: error.message }
}

/** `12:00:00 WARN  the server is not reached  server=http://127.0.0.1:3000`, with a stack below it. */
function readableLine({ level, time, msg }: Entry, fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const shown = given.map(([name, value]) => `${name}=${inOneWord(value instanceof Error ? value.message : value)}`)
  const stacks = given.flatMap(([, value]) => (value instanceof Error && !isExpected(value) ? [stackOf(value)] : []))
  const head = [`${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${msg}`, ...shown].join('  ')
  return [head, ...stacks.map((stack) => stack.replace(/^/gm, '    '))].join('\n')
}

function inOneWord(value: unknown): string {
  const text = typeof value === 'string' ? value : (safeJson(value) ?? String(value))
  return typeof value === 'string' && /[\s"=]/.test(text) ? JSON.stringify(text) : text
}

/** By name, since a program may have two copies of a package. */
const EXPECTED = new Set(['StatusError', 'ConnectionError', 'AbortError', 'TimeoutError', 'Waiting', 'PermanentError'])

/** An error whose message is enough: its stack would not help. */
function isExpected(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (error.name === 'Terminal') return !(error.cause instanceof Error) || isExpected(error.cause)
  return EXPECTED.has(error.name)
}

function stackOf(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`
  return error.cause instanceof Error ? `${own}\ncaused by: ${stackOf(error.cause)}` : own
}
