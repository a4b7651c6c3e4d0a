// `homeostat crd migrate NAME`: stores every object of a kind in the storage version, and then takes the other versions out
// of the definition's `status.storedVersions`. It can be ended at any time and run again.

import { isStatusError, writeJson } from '@homeostat/meta'
import { type Definition, definedKind } from '../../access/definitions.ts'
import { isMissing } from '../../access/failure.ts'
import { readObject } from '../../access/objects.ts'
import { DEFINITIONS, objectPath } from '../../access/paths.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { serverOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { findDefinition, noDefinition } from './find-definition.ts'
import { type Migrated, migrateObjects } from './migrate-objects.ts'

export const migrateOptions = [...serverOptions] as const

export async function migrateStorage(
  values: Values<(typeof migrateOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const word = oneName(operands, 'crd migrate')
  await withServer(values, terminal, async (session) => {
    const definition = await findDefinition(session.client, word)
    if (definition === undefined) throw noDefinition(word)
    const { name = '' } = definition.metadata
    const storage = storageVersion(definition)
    const others = otherVersions(definition)
    if (others.length === 0) return terminal.out(`${name}: all objects are stored in ${storage}\n`)
    const migrated = await migrateObjects(session, terminal, definedKind(definition))
    refuseFailures(name, migrated)
    await forget(session, definition)
    const { rewritten, unchanged } = migrated
    const stayed = unchanged === 0 ? '' : `, ${unchanged} were already`
    terminal.out(
      `${name}: ${rewritten} stored in ${storage}${stayed}; ${others.join(', ')} may go from spec.versions\n`,
    )
  })
  return 0
}

function storageVersion({ spec }: Definition): string {
  return spec.versions.find(({ storage }) => storage)?.name ?? ''
}

function otherVersions(definition: Definition): string[] {
  const storage = storageVersion(definition)
  return (definition.status?.storedVersions ?? []).filter((version) => version !== storage)
}

function refuseFailures(name: string, { failures, rewritten }: Migrated): void {
  const [first] = failures
  if (first === undefined) return
  const objects = failures.length === 1 ? '1 object' : `${failures.length} objects`
  throw new Fault(
    `${name}: ${objects} could not be stored anew, ${rewritten} were; ${first.name} first: ${first.message}. ` +
      'Mend that and run it again',
  )
}

/** Fails if the definition has changed: then objects may have been stored in another version behind our back. */
async function forget({ client }: Session, seen: Definition): Promise<void> {
  const { name = '', uid, generation } = seen.metadata
  for (;;) {
    const now = await readObject<Definition>(client, DEFINITIONS, '', name).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (now?.metadata.uid !== uid || now?.metadata.generation !== generation)
      throw new Fault(`${name} was changed meanwhile; run it again`)
    const { resourceVersion } = now?.metadata ?? {}
    try {
      await client.requestJson({
        method: 'PATCH',
        path: objectPath(DEFINITIONS, '', name, 'status'),
        headers: { 'content-type': 'application/merge-patch+json' },
        body: writeJson({ metadata: { resourceVersion }, status: { storedVersions: [storageVersion(seen)] } }),
      })
      return
    } catch (error) {
      // Controllers write its status, too.
      if (!isStatusError(error, 'Conflict')) throw error
    }
  }
}
