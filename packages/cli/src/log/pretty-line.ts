// Turns one JSON log line into one for a person: time, level, message, then the other fields as key=value.
// The log on a terminal calls it.

import { escapeControls } from '../output/escape-controls.ts'

const colors: Readonly<Record<string, number>> = { trace: 90, debug: 90, info: 36, warn: 33, error: 31, fatal: 35 }

export function prettyLine(line: string, color: boolean): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>
  const paint = (code: number, text: string) => (color ? `\x1b[${code}m${text}\x1b[0m` : text)
  const word = String(level)
  const parts = [
    paint(90, String(time).slice(11, 19)),
    paint(colors[word] ?? 0, word.toUpperCase().padEnd(5)),
    escapeControls(String(msg ?? '')),
    ...Object.entries(fields).map(([key, value]) => paint(90, `${key}=${showValue(value)}`)),
  ]
  return `${parts.join(' ')}\n${showError(err)}`
}

function showValue(value: unknown): string {
  return escapeControls(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value))
}

function showError(err: unknown): string {
  if (typeof err !== 'object' || err === null) return ''
  const { stack, message } = err as { stack?: unknown; message?: unknown }
  return `${escapeControls(String(stack ?? message))
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}\n`
}
