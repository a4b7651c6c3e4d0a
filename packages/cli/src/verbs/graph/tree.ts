// `homeostat graph tree NAME [-w]`: draws a graph with the phase of every node; with -w again and again until it has ended.

import { nodePhases } from '@homeostat/colony/views'
import { GRAPH_LABELS, type ProcessGraph } from '@homeostat/executor/graphs'
import type { Process } from '@homeostat/executor/protocol'
import { EXIT, notFoundFault } from '../../access/failure.ts'
import { listObjects } from '../../access/objects.ts'
import { PROCESSES } from '../../access/paths.ts'
import { type Session, withServer } from '../../access/session.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { paintFor } from '../../output/style.ts'
import { shortened } from '../../output/table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { type DrawnNode, drawGraph } from './draw-graph.ts'
import { hasEnded, readGraph, submittedNodes } from './read-graph.ts'

export const treeOptions = ['watch', ...colonyOptions] as const

/** So many nodes fit on a screen; without a terminal all are drawn. */
const MAX_LIVE = 40
/** A terminal is drawn at most this often. */
const FRAME_MS = 100

export async function graphTree(
  values: Values<(typeof treeOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'graph tree')
  return withServer(values, terminal, async (session) => {
    const graph = await readGraph(session, name)
    if (values.watch) return follow(session, terminal, graph)
    const labelSelector = `${GRAPH_LABELS.uid}=${graph.metadata.uid}`
    const processes = await listObjects<Process>(session.client, PROCESSES, {
      namespace: session.namespace,
      labelSelector,
    })
    const nodes = nodePhases(graph, await submittedNodes(session, graph), processes)
    show(terminal, draw(terminal, graph, nodes, Number.POSITIVE_INFINITY))
    return 0
  })
}

/** The exit code tells how the graph ended. */
export async function follow(session: Session, terminal: Terminal, graph: ProcessGraph): Promise<number> {
  const submitted = await submittedNodes(session, graph)
  const { namespace } = session
  // A tree that is drawn once needs no informers.
  const { createInformers } = await import('@homeostat/client')
  const informers = createInformers(session.client)
  const { name = '', uid } = graph.metadata
  const graphs = informers.open<ProcessGraph>('colonies.io/v1', 'ProcessGraph', {
    namespace,
    fieldSelector: `metadata.name=${name}`,
  })
  const processes = informers.open<Process>('colonies.io/v1', 'Process', {
    namespace,
    labelSelector: `${GRAPH_LABELS.uid}=${uid}`,
  })
  const screen = new Screen(terminal)
  let frame: NodeJS.Timeout | undefined
  try {
    const end = await new Promise<ProcessGraph>((resolve, reject) => {
      const look = () => {
        frame = undefined
        if (!graphs.synced || !processes.synced) return
        const now = graphs.list().find(({ metadata }) => metadata.uid === uid)
        if (now === undefined) {
          reject(notFoundFault(`the graph ${name} was deleted`))
          return
        }
        screen.show(now, nodePhases(now, submitted, processes.list()))
        if (hasEnded(now)) resolve(now)
      }
      const soon = () => {
        frame ??= setTimeout(look, FRAME_MS)
      }
      graphs.subscribe(soon)
      processes.subscribe(soon)
      graphs.whenSynced().then(soon, () => {})
      processes.whenSynced().then(soon, () => {})
    })
    return exitCodeOf(end)
  } finally {
    clearTimeout(frame)
    informers.close()
  }
}

export function exitCodeOf({ status }: ProcessGraph): number {
  if (status?.phase === 'Succeeded') return 0
  return status?.phase === 'Cancelled' ? EXIT.processCancelled : EXIT.processFailed
}

/** On a terminal the drawing is replaced; elsewhere each change of a node is a line, and the drawing comes at the end. */
class Screen {
  readonly #terminal: Terminal
  readonly #phases = new Map<string, string>()
  #lines = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  show(graph: ProcessGraph, nodes: readonly DrawnNode[]): void {
    const terminal = this.#terminal
    if (terminal.columns !== undefined && terminal.env.TERM !== 'dumb') {
      const lines = draw(terminal, graph, nodes, MAX_LIVE)
      show(terminal, lines, this.#lines === 0 ? '' : `\x1b[${this.#lines}A\x1b[J`)
      this.#lines = lines.length
      return
    }
    for (const { node, phase } of nodes) {
      if (this.#phases.get(node.name) === phase || phase === 'Pending') continue
      this.#phases.set(node.name, phase)
      terminal.out(`${node.name} ${phase}\n`)
    }
    if (hasEnded(graph)) show(terminal, draw(terminal, graph, nodes, Number.POSITIVE_INFINITY))
  }
}

function draw(terminal: Terminal, graph: ProcessGraph, nodes: readonly DrawnNode[], maxNodes: number): string[] {
  const { columns } = terminal
  const clean = nodes.map((one) => ({ ...one, detail: one.detail && cut(escapeControls(one.detail), columns) }))
  return drawGraph({ graph, nodes: clean, maxNodes, paint: paintFor(terminal) })
}

/** A line that wraps would spoil the drawing. */
function cut(text: string, columns: number | undefined): string {
  return columns === undefined ? text : shortened(text.replace(/\s+/g, ' '), Math.max(10, Math.floor(columns / 2)))
}

function show(terminal: Terminal, lines: readonly string[], before = ''): void {
  const text = `${before}${lines.join('\n')}\n`
  if (terminal.draw) terminal.draw(text)
  else terminal.out(text)
}
