// A log that writes each entry as one line of JSON: level, time, the fields, the message. The server's command makes one.

import type { Log } from './log.ts'
import { safeJson } from './safe-json.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LEVELS)[number]

export interface JsonLogOptions {
  /** The least serious entry that is written. */
  readonly level: LogLevel
  /** Takes a whole line with its end. */
  readonly write: (line: string) => void
}

export function jsonLog({ level: least, write }: JsonLogOptions): Log {
  const writer = (level: LogLevel) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return () => {}
    return (fields: object, msg: string) => {
      const time = new Date().toISOString()
      write(`${safeJson({ level, time, ...fields, msg }) ?? safeJson({ level, time, msg })}\n`)
    }
  }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}
