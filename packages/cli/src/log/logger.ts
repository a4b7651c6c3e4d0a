// Makes the log. It writes to standard error, so that standard output holds only what a person asked for.

import { jsonLog, type Log, type LogLevel } from '@homeostat/base'
import { prettyLine } from './pretty-line.ts'

export interface LogOptions {
  readonly level: LogLevel
  readonly format: 'auto' | 'json' | 'pretty'
}

/** Where the lines go. */
export interface LogStream {
  readonly isTTY?: boolean
  write(line: string): unknown
  on?(event: 'error', listener: () => void): unknown
}

export function makeLogger({ level, format }: LogOptions, stream: LogStream = process.stderr): Log {
  const pretty = format === 'pretty' || (format === 'auto' && stream.isTTY)
  const color = stream.isTTY === true && !process.env.NO_COLOR
  // The server goes on when the reader of standard error closes its end.
  stream.on?.('error', () => {})
  return jsonLog({ level, write: (line) => void stream.write(pretty ? prettyLine(line, color) : line) })
}
