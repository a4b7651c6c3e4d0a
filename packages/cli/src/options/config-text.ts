// Writes the effective configuration as a file for `--config`, with the source of each value: `homeostat up --print-config`.

import { writeJson } from '@homeostat/meta'
import type { Setting } from './parse-options.ts'

const HEAD =
  '# The configuration of `homeostat up`. A flag precedes its variable, that the file, and that the default.\n'

export function configText(settings: readonly Setting[]): string {
  const rows = settings.flatMap(({ name, value, text, source }) => {
    if (Array.isArray(value)) return [[`${name}: [${value.map(scalar).join(', ')}]`, source] as const]
    const shown = typeof value === 'string' ? value : text
    return shown === undefined ? [] : [[`${name}: ${scalar(shown)}`, source] as const]
  })
  const width = Math.min(40, Math.max(...rows.map(([left]) => left.length)))
  return HEAD + rows.map(([left, source]) => `${left.padEnd(width)}  # ${source.replace(/\p{Cc}/gu, '?')}\n`).join('')
}

/** In quotes unless a reader of YAML takes it for the same text without. */
function scalar(value: unknown): string {
  const text = String(value)
  const isPlain = /^[\w/.](?:[\w./@+-]|:(?=[\w/]))*$/.test(text) && !/^(?:null|true|false|~)$/i.test(text)
  return isPlain ? text : writeJson(text)
}
