// `homeostat graph submit -f FILE`: creates a graph of any size, in parts if it is large, and prints its name.

import { type GraphNode, graphObjects, type ProcessGraph } from '@homeostat/executor/graphs'
import { isStatusError } from '@homeostat/meta'
import { readValues } from '../../access/documents.ts'
import { createObject, deleteObject } from '../../access/objects.ts'
import { GRAPH_PARTS, GRAPHS } from '../../access/paths.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault, usageFault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands } from '../operands.ts'
import { graphFault } from './read-graph.ts'
import { follow } from './tree.ts'

export const submitGraphOptions = ['file', 'name', 'watch', ...colonyOptions] as const

export async function submitGraph(
  values: Values<(typeof submitGraphOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  if (values.file === undefined)
    throw usageFault('name the file: homeostat graph submit -f FILE, or -f - for standard input')
  const manifest = graphManifest(await readValues(values.file, terminal), values.name, values.file)
  return withServer(values, terminal, async (session) => {
    const namespace = manifest.metadata.namespace ?? session.namespace
    const graph = await submit({ ...session, namespace }, manifest)
    if (values.watch) return follow({ ...session, namespace }, terminal, graph)
    terminal.out(`${graph.metadata.name}\n`)
    return 0
  })
}

/** A file has a whole ProcessGraph, its spec, or a list of nodes alone. */
export function graphManifest(read: readonly unknown[], name: string | undefined, file: string): ProcessGraph {
  const items = read.length === 1 && Array.isArray(read[0]) ? (read[0] as readonly unknown[]) : read
  const [first] = items as readonly (Partial<ProcessGraph> & { nodes?: readonly GraphNode[] })[]
  if (first === undefined) throw new Fault(`${file} has no graph in it`)
  const isList = items.length > 1 || (first.spec === undefined && first.nodes === undefined)
  const spec = first.spec ?? (isList ? { nodes: items as readonly GraphNode[] } : (first as ProcessGraph['spec']))
  const named = name ?? first.metadata?.name
  if (named === undefined) throw usageFault(`the graph in ${file} has no name: give --name NAME`)
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'ProcessGraph',
    metadata: { ...first.metadata, name: named },
    spec,
  }
}

/** If the graph is refused, its parts are deleted again. */
async function submit(session: Session, manifest: ProcessGraph): Promise<ProcessGraph> {
  const { client, namespace } = session
  const objects = graphObjects(manifest)
  const parts = objects.slice(0, -1)
  const name = manifest.metadata.name ?? ''
  const made: string[] = []
  try {
    for (const part of parts) {
      await createObject(client, GRAPH_PARTS, namespace, part)
      made.push(part.metadata.name ?? '')
    }
    return await createObject<ProcessGraph>(client, GRAPHS, namespace, objects.at(-1) ?? manifest)
  } catch (error) {
    for (const part of made) await deleteObject(client, GRAPH_PARTS, namespace, part)
    if (!isStatusError(error, 'AlreadyExists')) throw graphFault(error, session, name)
    const text = `a graph ${name} exists already in ${namespace}, and a name is submitted once; give another with --name`
    throw new Fault(text, { cause: error })
  }
}
