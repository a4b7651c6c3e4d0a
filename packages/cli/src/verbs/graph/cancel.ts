// `homeostat graph cancel NAME`: ends what waits and runs of a graph.

import type { ProcessGraph } from '@homeostat/executor/graphs'
import { patchObject } from '../../access/objects.ts'
import { GRAPHS } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { hasEnded, readGraph } from './read-graph.ts'

export async function cancelGraph(
  values: Values<(typeof colonyOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'graph cancel')
  return withServer(values, terminal, async (session) => {
    const graph = await readGraph(session, name)
    if (hasEnded(graph)) throw new Fault(`${name} was not cancelled: it has ended as ${graph.status?.phase}`)
    const place = { namespace: session.namespace, name }
    await patchObject<ProcessGraph>(session.client, GRAPHS, place, { spec: { cancel: true } })
    terminal.out(`${name} is being cancelled\n`)
    return 0
  })
}
