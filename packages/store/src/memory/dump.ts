// The memory store as text, one change per line: what its backup writes, for a person to look at.

import type { Change, Revision } from '../contract.ts'

export function dumpLines(revision: Revision, keys: Iterable<readonly Change[]>): string {
  const lines = [JSON.stringify({ revision })]
  for (const versions of keys) {
    for (const change of versions) {
      const value = change.value === undefined ? undefined : Buffer.from(change.value.bytes).toString('base64')
      lines.push(
        JSON.stringify({ key: change.key, revision: change.revision, op: change.op, note: change.note, value }),
      )
    }
  }
  return `${lines.join('\n')}\n`
}
