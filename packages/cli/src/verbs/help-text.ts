// Writes the help of the command, of each noun and of each verb from the tables, for a terminal of the given width.

import type { Option } from '../options/option.ts'
import { flagName, type OptionName, optionTable } from '../options/option-table.ts'
import { wrapText } from '../output/wrap.ts'
import { isNoun, type NounRow, type VerbRow, type VerbTable } from './verb-row.ts'

const EXIT_CODES = [
  ['0', 'it was done'],
  ['1', 'it failed; one line says why'],
  ['2', 'the command line is wrong'],
  ['3', 'what was named is not there'],
  ['4', 'the process failed'],
  ['5', 'the process was cancelled'],
  ['6', 'the time of --timeout was up'],
] as const

export function commandHelp(verbs: Readonly<Record<string, VerbRow | NounRow>>, width?: number | undefined): string {
  const rows = Object.entries(verbs)
    .filter(([, row]) => isNoun(row) || !row.hidden)
    .map(([name, row]) => [`${name} ${isNoun(row) ? 'VERB' : row.operands}`.trim(), row.summary] as const)
  const lines = [
    'Usage: homeostat VERB [options]',
    '',
    ...columns(rows),
    '',
    'Exit codes:',
    ...columns(EXIT_CODES),
    '',
    '`homeostat VERB --help` shows the options of a verb, or the verbs of a noun.',
    'apply, get, delete, wait, diff and logs have the words and exit codes of kubectl, which works as well.',
    '',
  ]
  return wrapText(lines.join('\n'), width)
}

export function nounHelp(name: string, { summary }: NounRow, verbs: VerbTable, width?: number | undefined): string {
  const rows = Object.entries(verbs).map(([verb, row]) => [`${verb} ${row.operands}`.trim(), row.summary] as const)
  const usage = `Usage: homeostat ${name} VERB [options]`
  const more = `\`homeostat ${name} VERB --help\` shows the options of a verb.`
  return wrapText([usage, '', summary, '', ...columns(rows), '', more, ''].join('\n'), width)
}

export function verbHelp(name: string, verb: VerbRow, width?: number | undefined): string {
  const usage = ['Usage: homeostat', name, verb.operands, verb.options.length > 0 ? '[options]' : ''].filter(Boolean)
  const lines = [
    usage.join(' '),
    '',
    verb.summary,
    '',
    ...(verb.options.length > 0 ? ['Options:', ...optionHelp(verb.options), ''] : []),
    ...(verb.notes === undefined ? [] : [...verb.notes.map((note) => `  ${note}`), '']),
  ]
  return wrapText(lines.join('\n'), width)
}

function optionHelp(names: readonly OptionName[]): string[] {
  const rows = names.map((name) => {
    const { type, default: fallback, env, help, short }: Option<unknown> = optionTable[name]
    const notes = [fallback === undefined ? '' : `default ${fallback}`, env].filter(Boolean).join('; ')
    const flag = [`${short === undefined ? '' : `-${short}, `}--${flagName(name)}`, type.placeholder]
      .filter(Boolean)
      .join(' ')
    return [flag, notes === '' ? help : `${help} (${notes})`] as const
  })
  return columns(rows)
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(28, Math.max(...rows.map(([left]) => left.length)))
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  )
}
