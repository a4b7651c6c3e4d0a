// `homeostat graph rerun NAME`: runs a graph that has ended again, as a new one that reuses what succeeded before the failure.

import type { ProcessGraph } from '@homeostat/executor/graphs'
import { isStatusError, writeJson } from '@homeostat/meta'
import { GRAPHS, objectPath } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { hasEnded, readGraph } from './read-graph.ts'
import { follow } from './tree.ts'

export const rerunOptions = ['name', 'watch', ...colonyOptions] as const

export async function rerunGraph(
  values: Values<(typeof rerunOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'graph rerun')
  return withServer(values, terminal, async (session) => {
    const old = await readGraph(session, name)
    if (!hasEnded(old)) {
      const phase = old.status?.phase ?? 'Waiting'
      throw new Fault(`${name} is still ${phase}; \`homeostat graph cancel ${name}\` ends it`)
    }
    const graph = await send(session.client, objectPath(GRAPHS, session.namespace, name, 'rerun'), values.name)
    if (values.watch) return follow(session, terminal, graph)
    terminal.out(`${graph.metadata.name}\n`)
    return 0
  })
}

async function send(
  client: { requestJson(request: object): Promise<unknown> },
  path: string,
  name: string | undefined,
): Promise<ProcessGraph> {
  const headers = { 'content-type': 'application/json' }
  const body = writeJson(name === undefined ? {} : { name })
  try {
    return (await client.requestJson({ method: 'POST', path, headers, body })) as ProcessGraph
  } catch (error) {
    if (isStatusError(error, 'AlreadyExists')) throw new Fault(`a graph ${name} exists already; give another --name`)
    throw error
  }
}
