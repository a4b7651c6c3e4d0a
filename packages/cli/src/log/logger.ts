// Makes the logger. It writes to standard error, so that standard output holds only what a person asked for.

import { type Logger, pino } from 'pino'
import { prettyLine } from './pretty-line.ts'

export interface LogOptions {
  readonly level: string
  readonly format: 'auto' | 'json' | 'pretty'
}

export function makeLogger({ level, format }: LogOptions, stream: NodeJS.WriteStream = process.stderr): Logger {
  const pretty = format === 'pretty' || (format === 'auto' && stream.isTTY)
  const color = stream.isTTY && !process.env.NO_COLOR
  // The server goes on when the reader of standard error closes its end.
  stream.on('error', () => {})
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => void stream.write(pretty ? prettyLine(line, color) : line) },
  )
}
