// Tells of fields that nothing acts on, so that nobody relies on them: the condition PartiallySupported. Pure.

import { fieldsOf } from './resource.ts'

/** What a controller reads: true for a field with all that is in it. A list has one shape for its items. */
export type Read = true | { readonly [field: string]: Read } | readonly [Read]

/** The paths of fields that are given and not read. */
export function unusedFields(value: unknown, read: Read, path = 'spec'): string[] {
  if (read === true || value === undefined || value === null) return []
  if (isList(read)) {
    if (!Array.isArray(value)) return []
    return [...new Set(value.flatMap((item) => unusedFields(item, read[0], `${path}[]`)))]
  }
  return Object.entries(fieldsOf(value)).flatMap(([name, inner]) => {
    const known = Object.hasOwn(read, name) ? read[name] : undefined
    return known === undefined ? [`${path}.${name}`] : unusedFields(inner, known, `${path}.${name}`)
  })
}

export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export function partiallySupported(unused: readonly string[]): Condition {
  return unused.length === 0
    ? { type: 'PartiallySupported', status: 'False', reason: 'EveryFieldIsUsed', message: '' }
    : {
        type: 'PartiallySupported',
        status: 'True',
        reason: 'UnusedFields',
        message: `nothing acts on ${unused.join(', ')}`,
      }
}

function isList(read: Read): read is readonly [Read] {
  return Array.isArray(read)
}
