// Writes the help of the command and of each verb from the tables.

import type { VerbRow } from '../verbs/verb-table.ts'
import { type OptionName, optionTable } from './option-table.ts'

export function commandHelp(verbs: Readonly<Record<string, VerbRow>>): string {
  const rows = Object.entries(verbs).map(([name, verb]) => [`${name} ${verb.operands}`.trim(), verb.summary] as const)
  return [
    'Usage: homeostat VERB [options]',
    '',
    ...columns(rows),
    '',
    '`homeostat VERB --help` shows the options of a verb.',
    '',
  ].join('\n')
}

export function verbHelp(name: string, verb: VerbRow): string {
  const usage = ['Usage: homeostat', name, verb.operands, verb.options.length > 0 ? '[options]' : ''].filter(Boolean)
  return [
    usage.join(' '),
    '',
    verb.summary,
    '',
    ...(verb.options.length > 0 ? ['Options:', ...optionHelp(verb.options), ''] : []),
  ].join('\n')
}

function optionHelp(names: readonly OptionName[]): string[] {
  const rows = names.map((name) => {
    const { type, default: fallback, env, help } = optionTable[name]
    const notes = [fallback === undefined ? '' : `default ${fallback}`, env].filter(Boolean).join('; ')
    return [`--${name} ${type.placeholder}`, `${help} (${notes})`] as const
  })
  return columns(rows)
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(28, Math.max(...rows.map(([left]) => left.length)))
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  )
}
