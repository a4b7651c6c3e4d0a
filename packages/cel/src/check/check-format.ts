// Calls of format with a literal template and a list of arguments: what cannot be formatted is found when the expression is written.

import type { Call, Expression } from '../syntax/expression.ts'
import type { Issue } from '../syntax/issues.ts'
import type { CelType } from '../types/cel-type.ts'
import type { Checked } from './checked.ts'

interface Clause {
  readonly kinds: readonly string[]
  readonly complaint: string
}

const integers = ['int', 'uint']
const doubles = ['double', 'string']

const clauses: Readonly<Record<string, Clause>> = {
  s: {
    kinds: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
    complaint:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given',
  },
  d: { kinds: integers, complaint: 'decimal clause can only be used on integers, was given' },
  f: { kinds: doubles, complaint: 'fixed-point clause can only be used on doubles, was given' },
  e: { kinds: doubles, complaint: 'scientific clause can only be used on doubles, was given' },
  b: { kinds: [...integers, 'bool'], complaint: 'only integers and bools can be formatted as binary, was given' },
  o: { kinds: integers, complaint: 'octal clause can only be used on integers, was given' },
  x: {
    kinds: [...integers, 'string', 'bytes'],
    complaint: 'only integers, byte buffers, and strings can be formatted as hex, was given',
  },
}

/** The first thing wrong with a call; undefined for a call that tells too little. */
export function checkFormat(call: Call, checked: Checked): Issue | undefined {
  const [list] = call.args
  const template = call.target?.kind === 'literal' ? call.target.value : undefined
  if (typeof template !== 'string' || list?.kind !== 'list') return undefined
  let used = 0
  for (const [whole, , letter] of template.matchAll(/%(?:%|(\.\d*)?([\s\S])?)/g)) {
    if (whole === '%%') continue
    const item = list.items[used]
    if (item === undefined) return { offset: call.offset, message: `index ${used} out of range` }
    if (letter === undefined) return { offset: call.offset, message: 'unexpected end of string' }
    used++
    const clause = clauses[letter === 'X' ? 'x' : letter]
    if (clause === undefined) {
      const message = `could not parse formatting clause: unrecognized formatting clause "${letter}"`
      return { offset: call.offset, message }
    }
    const wrong = wrongPart(item, clause, checked, letter === 's')
    if (wrong === undefined) continue
    const message = `error during formatting: ${clause.complaint} ${typeOf(wrong, checked).name}`
    return { offset: wrong.offset, message }
  }
  if (used === list.items.length) return undefined
  const message = `too many arguments supplied to string.format (expected ${used}, got ${list.items.length})`
  return { offset: call.offset, message }
}

/** Of a list or map that is written out, every part must fit. */
function wrongPart(item: Expression, clause: Clause, checked: Checked, isDeep: boolean): Expression | undefined {
  const { kind } = typeOf(item, checked)
  if (kind !== 'dyn' && !clause.kinds.includes(kind)) return item
  if (!isDeep) return undefined
  const parts =
    item.kind === 'list'
      ? item.items
      : item.kind === 'map'
        ? item.entries.flatMap(({ key, value }) => [key, value])
        : []
  for (const part of parts) {
    const wrong = wrongPart(part, clause, checked, true)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function typeOf(expression: Expression, checked: Checked): CelType {
  return checked.types[expression.id] as CelType
}
