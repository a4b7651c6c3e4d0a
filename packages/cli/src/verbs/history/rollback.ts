// `homeostat rollback TYPE NAME --to G`: an ordinary update to the desired state of an older generation, by a manager of its own.
// It never forces: if somebody was faster, the server refuses it.

import type { ApiObject } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import { rolledBack } from '@homeostat/meta/history'
import { generationOf, readHistory } from '../../access/history.ts'
import { readObject } from '../../access/objects.ts'
import { objectPath } from '../../access/paths.ts'
import { typeName } from '../../access/served-kinds.ts'
import { withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { rollbackOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { namedObject } from './named-object.ts'
import { recordRestore } from './restore-event.ts'

const MANAGER = 'homeostat-rollback'

export async function rollback(
  values: Values<(typeof rollbackOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { to, 'dry-run': dryRun } = values
  if (to === undefined)
    throw new Fault('name the generation: homeostat rollback TYPE NAME --to G; `homeostat history` lists them')
  if (dryRun === 'client') throw new Fault('only the server knows what an update makes of it: --dry-run=server')
  return withServer(values, terminal, async (session) => {
    const named = await namedObject(operands, session, 'rollback')
    const { kind, namespace = '', name } = named
    const older = generationOf(await readHistory(session.client, named), to, name).object
    const live = await readObject<ApiObject>(session.client, kind, namespace, name)
    const query = new URLSearchParams({ fieldManager: MANAGER, ...(dryRun === 'server' && { dryRun: 'All' }) })
    const after = (await session.client.requestJson({
      method: 'PUT',
      path: `${objectPath(kind, namespace, name)}?${query}`,
      headers: { 'content-type': 'application/json' },
      body: writeJson(rolledBack(live, older)),
    })) as ApiObject
    const said = `${typeName(kind)}/${name}`
    if (after.metadata.resourceVersion === live.metadata.resourceVersion) {
      terminal.out(`${said} is as in generation ${to} already\n`)
      return 0
    }
    const { generation } = after.metadata
    const now = generation === undefined ? '' : `, now generation ${generation}`
    terminal.out(`${said} rolled back to ${to}${now}${dryRun === 'server' ? ' (server dry run)' : ''}\n`)
    if (dryRun !== 'server') {
      const note = `rolled back to generation ${to}${now}`
      await recordRestore(
        session,
        terminal,
        { ...after, apiVersion: older.apiVersion, kind: older.kind } as ApiObject,
        { reason: 'RolledBack', action: 'Rollback', note },
      )
    }
    return 0
  })
}
