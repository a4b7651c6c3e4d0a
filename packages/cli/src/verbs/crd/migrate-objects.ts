// Makes a server store every object of a kind in the storage version: an empty patch does, and writes nothing if the object is
// stored so already. It reads no more than their metadata.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { DefinedKind } from '../../access/definitions.ts'
import { isMissing } from '../../access/failure.ts'
import { findMetadata, listMetadata, patchObject } from '../../access/objects.ts'
import type { Session } from '../../access/session.ts'
import { progressOn } from '../../output/progress.ts'
import type { Terminal } from '../../terminal.ts'

export interface Migrated {
  readonly rewritten: number
  readonly unchanged: number
  readonly failures: readonly { readonly name: string; readonly message: string }[]
}

/** Concurrent patches. */
const AT_ONCE = 16

export async function migrateObjects({ client }: Session, terminal: Terminal, kind: DefinedKind): Promise<Migrated> {
  const objects = await listMetadata(client, kind)
  const progress = progressOn(terminal)
  const failures: { name: string; message: string }[] = []
  let [rewritten, unchanged] = [0, 0]
  const migrate = async ({ metadata }: ApiObject) => {
    const { namespace = '', name = '', uid, resourceVersion } = metadata
    try {
      // With the uid, an object that was deleted and created anew is left alone.
      const now = await patchObject(client, kind, { namespace, name }, { metadata: { uid } })
      if (now.metadata.resourceVersion === resourceVersion) unchanged++
      else rewritten++
    } catch (error) {
      if (!isStatusError(error)) throw error
      const isOvertaken = isMissing(error) || isStatusError(error, 'Conflict')
      // A webhook may refuse with these codes, too.
      if (isOvertaken && !(await isAsListed(client, kind, metadata))) unchanged++
      else failures.push({ name: namespace === '' ? name : `${namespace}/${name}`, message: messageOf(error) })
    }
  }
  try {
    for (let at = 0; at < objects.length; at += AT_ONCE) {
      progress.show(`${at} of ${objects.length} ${kind.plural}`)
      await Promise.all(objects.slice(at, at + AT_ONCE).map(migrate))
    }
  } finally {
    progress.end()
  }
  return { rewritten, unchanged, failures }
}

/** Otherwise whoever deleted, created or wrote it meanwhile has stored it in the new version, or it is gone. */
async function isAsListed(
  client: Session['client'],
  kind: DefinedKind,
  { namespace = '', name = '', uid, resourceVersion }: ApiObject['metadata'],
): Promise<boolean> {
  const now = await findMetadata(client, kind, namespace, name)
  return now?.metadata.uid === uid && now?.metadata.resourceVersion === resourceVersion
}
