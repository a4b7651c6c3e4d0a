// One random history of graphs and schedules: executors at work on the nodes, trouble from outside meanwhile, then peace, in which all
// graphs have to end. The server is the caller's. Says what is wrong with the history.

import type { Process } from '@homeostat/executor/protocol'
import type { Random } from '../crash/random.ts'
import { WatchReader } from '../watch-reader.ts'
import { checkGraphs, checkSchedules, type NodeState } from './graph-checker.ts'

const GRAPHS = 5
const NODES = 10
const EXECUTORS = 3
const ROOT = '/apis/colonies.io/v1/namespaces/lab'
const DUE = 'colonies.io/scheduled-at'

/** Sends requests to the server that runs now, and again until one is answered. */
class Wire {
  url: string | undefined
  isOver = false

  async send(method: string, path: string, body?: object): Promise<{ code: number; body: Reply }> {
    for (;;) {
      try {
        if (this.url === undefined) throw new Error('no server')
        const signal = AbortSignal.timeout(10_000)
        const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
        const response = await fetch(`${this.url}${ROOT}${path}`, {
          method,
          headers,
          signal,
          ...(body && { body: JSON.stringify(body) }),
        })
        const reply = (await response.json()) as Reply
        if (response.status < 500) return { code: response.status, body: reply }
      } catch {
        // The server was killed: the same again.
      }
      if (this.isOver) return { code: 0, body: {} as Reply }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

type Reply = Process & {
  readonly items: readonly Reply[]
  readonly processes?: readonly Process[]
  readonly status: { readonly finishedAt?: string; readonly since?: string; readonly phase: string }
}

/** Takes work, reports a random outcome, and says in heartbeats what it holds. */
async function live(wire: Wire, random: Random, name: string, inputs: Map<string, readonly unknown[]>): Promise<void> {
  await wire.send('POST', '/executors', {
    apiVersion: 'colonies.io/v1',
    kind: 'Executor',
    metadata: { name },
    spec: { type: 't' },
  })
  while (!wire.isOver) {
    const { body } = await wire.send('POST', `/executors/${name}/assign?timeoutSeconds=1`, { max: 1 })
    const [held] = body.processes ?? []
    const holding = held === undefined ? [] : [{ process: held.metadata.name, attempt: held.status.attempt }]
    await wire.send('POST', `/executors/${name}/heartbeat`, { holding })
    if (held === undefined) continue
    const { attempt, input = [] } = held.status
    inputs.set(`${held.metadata.name}#${attempt}`, input)
    const result = random.between(0, 9) === 0 ? 'Failed' : 'Succeeded'
    const close = { executor: name, attempt, result, output: `${held.metadata.name}#${attempt}` }
    await wire.send('POST', `/processes/${held.metadata.name}/close`, close)
  }
}

function randomGraph(random: Random): Map<string, readonly string[]> {
  const nodes = new Map<string, readonly string[]>()
  for (let index = 0; index < NODES; index++) {
    const parents = Array.from(
      { length: Math.min(index, random.between(0, 3)) },
      () => `n${random.between(0, index - 1)}`,
    )
    nodes.set(`n${index}`, [...new Set(parents)])
  }
  return nodes
}

export interface GraphHistoryOptions {
  readonly random: Random
  /** Where the server is at first. */
  readonly url: string
  /** The server's time. */
  now(): number
  /** Of a schedule that makes Processes, and of one that makes graphs. */
  readonly everyMs: readonly [number, number]
  /** A tick has its run after so long. */
  readonly deadlineMs: number
  /** So far the clock may be set back between the plan of a run and the run. */
  readonly backMs?: number
  trouble(world: Trouble): Promise<void>
}

export interface Trouble {
  /** The server has gone; a new one is there. */
  away(): void
  follow(url: string): void
  /** Submits another graph. */
  submit(): void
  /** Resolves when so many changes were seen, or after a while. */
  seen(changes: number): Promise<void>
}

/** How long nothing has to happen. */
const LONGEST_LIFE_MS = 4000

export async function runGraphHistory(options: GraphHistoryOptions): Promise<string[]> {
  const { random, url, now, everyMs, deadlineMs, backMs = 0, trouble } = options
  const wire = new Wire()
  wire.url = url
  const graphs = new Map<string, ReadonlyMap<string, readonly string[]>>(
    Array.from({ length: GRAPHS }, (_, index) => [`g${index}`, randomGraph(random)] as const),
  )
  const conditions = { executorType: 't' }
  const schedule = (name: string, everyMs: number, spec: object) =>
    wire.send('POST', '/schedules', {
      apiVersion: 'colonies.io/v1',
      kind: 'Schedule',
      metadata: { name },
      spec: { intervalSeconds: everyMs / 1000, catchUp: 100, ...spec },
    })
  await schedule('s', everyMs[0], { process: { funcName: 'f', conditions: { executorType: 'nobody' } } })
  const [first, second] = [{ name: 'first' }, { name: 'second', dependencies: ['first'] }]
  await schedule('made', everyMs[1], {
    successfulRunsHistoryLimit: 1000,
    failedRunsHistoryLimit: 1000,
    graph: { nodes: [first, second].map((node) => ({ ...node, funcName: 'f', conditions })) },
  })
  const reader = new WatchReader({ path: `${ROOT}/processes`, from: 0 })
  const ending = new AbortController()
  let watching = reader.follow(url, ending.signal)
  const submit = (name: string, nodes: ReadonlyMap<string, readonly string[]>) => {
    const list = [...nodes].map(([node, dependencies]) => ({
      name: node,
      dependencies,
      funcName: 'f',
      maxRetries: 1,
      conditions,
    }))
    const object = { apiVersion: 'colonies.io/v1', kind: 'ProcessGraph', metadata: { name }, spec: { nodes: list } }
    return wire.send('POST', '/processgraphs', object)
  }
  for (const [name, nodes] of graphs) await submit(name, nodes)
  const submits: Promise<unknown>[] = []
  const inputs = new Map<string, readonly unknown[]>()
  const executors = Array.from({ length: EXECUTORS }, (_, index) => live(wire, random, `e${index}`, inputs))
  await trouble({
    away() {
      wire.url = undefined
    },
    follow(next) {
      wire.url = next
      watching = watching.then(() => reader.follow(next, ending.signal))
    },
    submit() {
      const name = `k${submits.length}`
      const nodes = randomGraph(random)
      graphs.set(name, nodes)
      submits.push(submit(name, nodes))
    },
    async seen(changes) {
      const enough = reader.events.length + changes
      const late = Date.now() + LONGEST_LIFE_MS
      while (reader.events.length < enough && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 5))
    },
  })
  const read = async (path: string) => (await wire.send('GET', path)).body
  await Promise.all(submits)
  const until = now()
  const made = await wire.send('PATCH', '/schedules/made', { spec: { suspend: true } })
  const ends = new Map<string, string | undefined>()
  const late = Date.now() + 120_000
  const graphRuns = new Map<string, Reply>()
  do {
    for (const graph of (await read('/processgraphs')).items) {
      const { metadata, status } = graph
      const name = metadata.name ?? ''
      if (metadata.annotations?.[DUE] !== undefined) {
        graphRuns.set(name, graph)
        graphs.set(
          name,
          new Map([
            ['first', []],
            ['second', ['first']],
          ]),
        )
      }
      if (status.finishedAt !== undefined) ends.set(name, status.phase)
    }
  } while (ends.size < graphs.size && Date.now() < late)
  const { status } = await read('/schedules/s')
  const listed = (await read('/processes')).items
  await reader.reached(Math.max(...listed.map(({ metadata }) => Number(metadata.resourceVersion))))
  wire.isOver = true
  ending.abort()
  await Promise.all([...executors, watching])

  const states = reader.events.flatMap(({ type, object }): NodeState[] => {
    const { metadata, status } = object as unknown as Process
    const { 'colonies.io/graph': graph, 'colonies.io/graph-node': node = '' } = metadata.labels ?? {}
    if (graph === undefined || type === 'DELETED') return []
    const { phase, attempt, output } = status
    const input = phase === 'Running' ? inputs.get(`${metadata.name}#${attempt}`) : undefined
    const isFinal = phase === 'Succeeded' || phase === 'Failed'
    return [
      {
        revision: Number(metadata.resourceVersion),
        graph,
        node,
        uid: metadata.uid ?? '',
        phase,
        attempt,
        output: isFinal ? output : undefined,
        input,
      },
    ]
  })
  const runs = [...listed, ...graphRuns.values()].flatMap(({ metadata, status: run }) => {
    const due = metadata.annotations?.[DUE]
    if (due === undefined) return []
    const madeAt = Date.parse((run as unknown as Process['status']).submittedAt ?? metadata.creationTimestamp ?? '')
    const schedule = metadata.labels?.['colonies.io/schedule'] ?? ''
    // The time of creation of an object has no milliseconds.
    const whole = schedule === 'made' ? 999 : 0
    return [{ schedule, tick: Date.parse(due), uid: metadata.uid ?? '', madeAt: madeAt + whole + backMs }]
  })
  console.log(`${graphs.size} graphs, ${states.length} states, ${runs.length} runs of schedules`)
  // Missed ticks are made up for, so that none is lost; the last ones may be on their way.
  const timing = { until, deadlineMs }
  const schedules = new Map([
    ['s', { madeAt: Date.parse(status.since ?? ''), everyMs: everyMs[0], ...timing }],
    ['made', { madeAt: Date.parse(made.body.status.since ?? ''), everyMs: everyMs[1], ...timing }],
  ])
  const ticks = checkSchedules({ schedules, runs, uptimes: [[0, Number.POSITIVE_INFINITY]] })
  return [...checkGraphs({ graphs, states, ends }), ...ticks]
}
