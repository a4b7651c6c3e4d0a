// The refusal of an apply that would change what others own. kubectl reads these texts.

import type { Cause } from '../status/field-causes.ts'
import { StatusError } from '../status/status-error.ts'
import { eachPath, type FieldSet } from './field-set.ts'
import { goQuoted } from './go-text.ts'
import { type Owner, ownerKey } from './managed-entry.ts'
import { shownElement } from './path-element.ts'

export interface Conflict {
  readonly owner: Owner
  readonly fields: FieldSet
}

export function applyConflict(conflicts: readonly Conflict[]): StatusError {
  const sorted = [...conflicts].sort((a, b) => (ownerKey(a.owner) < ownerKey(b.owner) ? -1 : 1))
  const causes: Cause[] = []
  const lines: string[] = []
  for (const { owner, fields } of sorted) {
    const who = shownOwner(owner)
    lines.push(`conflicts with ${who}:`)
    eachPath(fields, (path) => {
      const field = path.map((element) => shownElement(element, 'set')).join('')
      causes.push({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })
      lines.push(`- ${field}`)
    })
  }
  const [first] = causes
  const what =
    causes.length === 1 && first !== undefined
      ? `1 conflict: ${first.message}: ${first.field}`
      : `${causes.length} conflicts: ${lines.join('\n')}`
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Apply failed with ${what}`,
    reason: 'Conflict',
    details: { causes },
    code: 409,
  })
}

function shownOwner({ manager = '', operation, apiVersion, subresource }: Owner): string {
  const name = goQuoted(manager) + (subresource ? ` with subresource ${goQuoted(subresource)}` : '')
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}
