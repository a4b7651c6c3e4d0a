// `homeostat undelete TYPE NAME`: makes a deleted object again as it was, while the history lasts: without finalizers, status,
// and owners that are gone. It is a new object with a uid of its own.

import type { ApiObject } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import { type Owner, ownersOf, undeleted } from '@homeostat/meta/history'
import { readHistory } from '../../access/history.ts'
import { findObject } from '../../access/objects.ts'
import { collectionPath } from '../../access/paths.ts'
import { ServedKinds, typeName } from '../../access/served-kinds.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { namedObject } from './named-object.ts'
import { recordRestore } from './restore-event.ts'

const MANAGER = 'homeostat-undelete'

export async function undelete(
  values: Values<(typeof colonyOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  return withServer(values, terminal, async (session) => {
    const named = await namedObject(operands, session, 'undelete')
    const { kind, namespace = '', name } = named
    const last = (await readHistory(session.client, named)).lives.at(-1)?.entries.at(-1)
    if (last === undefined || last.change !== 'deleted')
      throw new Fault(`${kind.kind} ${name} is there; only a deleted object can be undeleted`)
    if (last.object === undefined) throw new Fault(`what was deleted of ${kind.kind} ${name} is not kept any more`)
    const owners = await livingOwners(session, namespace, ownersOf(last.object))
    const after = (await session.client.requestJson({
      method: 'POST',
      path: `${collectionPath(kind, namespace)}?fieldManager=${MANAGER}`,
      headers: { 'content-type': 'application/json' },
      body: writeJson(undeleted(last.object, owners)),
    })) as ApiObject
    terminal.out(`${typeName(kind)}/${name} undeleted\n`)
    const note = `made again as it was deleted at ${last.time ?? 'an unknown time'} by ${last.user ?? 'somebody'}`
    const about = { ...after, apiVersion: last.object.apiVersion, kind: last.object.kind } as ApiObject
    await recordRestore(session, terminal, about, { reason: 'Undeleted', action: 'Undelete', note })
    return 0
  })
}

/** An owner that was made anew under the name is another one. */
async function livingOwners(session: Session, namespace: string, owners: readonly Owner[]): Promise<readonly Owner[]> {
  if (owners.length === 0) return owners
  const kinds = await ServedKinds.read(session.client)
  const living = await Promise.all(
    owners.map(async ({ apiVersion, kind, name, uid }) => {
      const served = kinds.of(apiVersion, kind)
      return served !== undefined && (await findObject(session.client, served, namespace, name))?.metadata.uid === uid
    }),
  )
  return owners.filter((_, at) => living[at])
}
