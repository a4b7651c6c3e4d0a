// The calls of a colony in memory, so that the executor's tests can decide what the server says and when.

import { type Client, createClient, type TransportRequest, type TransportResponse } from '@homeostat/client'
import { conflict, notFound, StatusError } from '@homeostat/meta'
import type {
  AssignRequest,
  Attempt,
  ExecutorSpec,
  Process,
  ProcessOutcome,
  ProcessSpec,
  ProcessStatus,
} from './protocol.ts'

export interface Call {
  readonly what: 'register' | 'assign' | 'heartbeat' | 'log' | 'remove' | 'namespace'
  readonly body: AssignRequest & { readonly holding?: readonly Attempt[] }
  readonly path: string
}

interface Parts extends Partial<Omit<ProcessSpec, 'conditions'>> {
  readonly conditions?: Partial<ProcessSpec['conditions']>
  readonly status?: Partial<ProcessStatus>
}

export function makeProcess(name: string, { conditions, status, ...spec }: Parts = {}): Process {
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: { name, namespace: 'lab' },
    spec: { funcName: 'work', conditions: { executorType: 'python', ...conditions }, ...spec },
    status: { phase: 'Waiting', submittedAt: '2030-01-01T00:00:00.000000Z', attempt: 0, ...status },
  }
}

export class FakeColony {
  readonly calls: Call[] = []
  readonly executors = new Map<string, ExecutorSpec>()
  readonly closed: ProcessOutcome[] = []
  readonly logs = new Map<string, string>()
  readonly client: Client
  /** Answers instead of the colony, when it does. */
  refuse: (call: Call) => Error | undefined = () => undefined
  /** Connections break. */
  isDown = false
  /** The namespace is being deleted. */
  isDeleted = false
  lost: Attempt[] = []
  cancelled: Attempt[] = []
  #waiting: Process[] = []
  readonly #polls = new Set<() => void>()

  constructor() {
    const send = (request: TransportRequest) => this.#answer(request)
    this.client = createClient({ send, close: () => {} }, { retry: { tries: 1 } })
  }

  get waiting(): number {
    return this.#waiting.length
  }

  submit(name: string, parts: Parts = {}): void {
    this.#waiting.push(makeProcess(name, parts))
    this.#wake()
  }

  cancel(process: string, attempt = 1): void {
    this.cancelled.push({ process, attempt })
    this.#wake()
  }

  /** Ends what is under way, as a server that dies does. */
  goDown(): void {
    this.isDown = true
    this.#wake()
  }

  of(what: Call['what']): readonly Call['body'][] {
    return this.calls.filter((call) => call.what === what).map(({ body }) => body)
  }

  #wake(): void {
    for (const wake of [...this.#polls]) wake()
  }

  async #answer(request: TransportRequest): Promise<TransportResponse> {
    const call = read(request)
    if (this.isDown) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
    this.calls.push(call)
    try {
      const refused = this.refuse(call)
      if (refused !== undefined) throw refused
      return answerOf(200, await this.#do(call, request))
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      return answerOf(error.code, error.status)
    }
  }

  async #do(call: Call, { signal, body }: TransportRequest): Promise<unknown> {
    const name = call.path.split(/[/?]/)[7] ?? ''
    if (call.what === 'register') {
      this.executors.set(name, (JSON.parse(`${body}`) as { spec: ExecutorSpec }).spec)
      return {}
    }
    if (call.what === 'log') return this.logs.set(name, (this.logs.get(name) ?? '') + body) && {}
    if (call.what === 'namespace')
      return { metadata: { name: 'lab', ...(this.isDeleted && { deletionTimestamp: 'now' }) } }
    if (!this.executors.has(name)) throw notFound({ group: 'colonies.io', resource: 'executors' }, name)
    if (call.what === 'remove') return this.executors.delete(name) && {}
    if (call.what === 'heartbeat') return { cancelled: this.cancelled, lost: this.lost }
    this.closed.push(...(call.body.finished ?? []))
    const { max = 1 } = call.body
    const isLong =
      (max > 0 || (call.body.finished ?? call.body.returned) === undefined) && !call.path.endsWith('timeoutSeconds=0')
    const hasWork = () => max > 0 && this.#waiting.length > 0
    while (isLong && !hasWork() && this.cancelled.length === 0) await this.#next(signal)
    const processes = this.#waiting.splice(0, max).map((process) => running(process))
    return { processes, cancelled: this.cancelled.splice(0) }
  }

  #next(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#polls.delete(wake)
        settle()
      }
      const wake = () => end(this.isDown ? () => reject(new Error('socket hang up')) : resolve)
      this.#polls.add(wake)
      signal?.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true })
    })
  }
}

/** A 409 that names places in `finished`. */
export function refusedEnds(...indexes: number[]): StatusError {
  const causes = indexes.map((index) => ({ reason: 'Conflict', message: 'not yours', field: `finished[${index}]` }))
  return conflict({ group: 'colonies.io', resource: 'executors' }, 'e', 'some ends were refused', causes)
}

function running(process: Process): Process {
  return { ...process, status: { ...process.status, phase: 'Running', attempt: process.status.attempt + 1 } }
}

function read({ method, path, body }: TransportRequest): Call {
  const [bare = ''] = path.split('?')
  const part = bare.split('/')[8]
  const others: Record<string, Call['what']> = { PATCH: 'register', DELETE: 'remove', GET: 'namespace' }
  const what = others[method] ?? part
  return {
    what: what as Call['what'],
    path,
    body: what === 'log' || body === undefined ? {} : (JSON.parse(`${body}`) as Call['body']),
  }
}

function answerOf(status: number, value: unknown): TransportResponse {
  return {
    status,
    header: () => undefined,
    body: (async function* () {
      yield new TextEncoder().encode(JSON.stringify(value))
    })(),
  }
}
