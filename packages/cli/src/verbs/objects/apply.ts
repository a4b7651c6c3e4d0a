// `homeostat apply -f FILE`: applies the objects of files with server-side apply, definitions before their resources. An
// object that fails does not keep the others from being applied.

import type { ApiObject } from '@homeostat/client'
import { deepEqual } from '@homeostat/meta'
import { type PlacedDocument, readFiles } from '../../access/documents.ts'
import { waitUntilServed } from '../../access/served-definition.ts'
import { typeName } from '../../access/served-kinds.ts'
import { withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { applyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { printFormatted } from '../../output/format.ts'
import { readable } from '../../output/objects.ts'
import type { Terminal } from '../../terminal.ts'
import { applyOrder } from './apply-order.ts'
import { filesSaid } from './files-said.ts'
import { Problems } from './problems.ts'
import { type Applied, sendApply } from './send-apply.ts'

const SERVED_WITHIN_MS = 20_000

type ApplyValues = Values<(typeof applyOptions)[number]>

export async function apply(values: ApplyValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  const files = filesSaid(values, operands)
  const dryRun = values['dry-run']
  if (dryRun === 'client' && values['server-side']) {
    throw new Fault("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)")
  }
  const output = values['apply-output']
  const patience = values.timeout ?? SERVED_WITHIN_MS
  return withServer(values, terminal, async (session) => {
    const problems = new Problems(terminal, session.url)
    const { documents, faults } = await readFiles(files, terminal, values)
    for (const fault of faults) problems.report(fault)
    const { first, rest, needed } = applyOrder(documents)
    const written: ApiObject[] = []
    const one = async ({ object, where }: PlacedDocument, wait = 0): Promise<boolean> => {
      const applied = await problems.attempt(
        () => sendApply(object, { session, terminal, values, dryRun, patience: wait }),
        where,
      )
      if (applied === undefined) return false
      if (output === undefined) terminal.out(`${appliedText(applied, dryRun, values['server-side'])}\n`)
      else written.push(applied.after)
      return true
    }
    for (const document of first) {
      const isDone = await one(document)
      if (!isDone || dryRun !== 'none' || !needed.includes(document)) continue
      const { object, where } = document
      await problems.attempt(async () => {
        const definition = { ...object, name: object.metadata.name ?? '' }
        const served = await waitUntilServed(session, terminal, definition, patience)
        if ('refusal' in served) throw new Fault(`${definition.name} was not accepted: ${served.refusal}`)
      }, where)
    }
    for (const document of rest) await one(document, needed.length > 0 && dryRun === 'none' ? patience : 0)
    if (output !== undefined && written.length > 0) {
      const view = { asList: documents.length > 1, headers: true, managedFields: false }
      await printFormatted(terminal, { kind: output }, written, view)
    }
    return problems.exitCode
  })
}

const DRY = { none: '', server: ' (server dry run)', client: ' (dry run)' } as const

function appliedText({ kind, before, after }: Applied, dryRun: keyof typeof DRY, serverSide: boolean): string {
  const word = serverSide ? 'serverside-applied' : changeText(before, after)
  return `${typeName(kind)}/${after.metadata.name} ${word}${DRY[dryRun]}`
}

/** A dry run keeps the revision, so that only a comparison shows whether anything would change. */
function changeText(before: ApiObject | undefined, after: ApiObject): string {
  if (before === undefined) return 'created'
  const isSame = before.metadata.resourceVersion === after.metadata.resourceVersion
  return isSame && deepEqual(readable(before), readable(after)) ? 'unchanged' : 'configured'
}
