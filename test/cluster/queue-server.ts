// The queue of one namespace on the servers of the model: each runs the colony whenever it leads the namespace's shard, and passes calls
// on to the leader as servers do, over connections that the model makes.

import { join } from 'node:path'
import {
  type ApiExtension,
  type ExtensionAnswer,
  type ExtensionRequest,
  shardApi,
  shardDuty,
  shardOf,
} from '@homeostat/apiserver'
import { passedOn } from '@homeostat/apiserver/testing/bare-server'
import { silentLog } from '@homeostat/base'
import { startColony } from '@homeostat/colony'
import { colonyCalls, RunningColonies } from '@homeostat/colony/kinds'
import { NAMESPACE } from '../colony/world.ts'
import { Disconnected, type ModelServer } from './model-server.ts'

const USER = { username: 'executor', groups: ['system:masters'] }
const SHARD = shardOf(NAMESPACE)
const DUTY = shardDuty('colony', NAMESPACE)
/** Servers pass calls on to such addresses alone. */
const SCHEME = 'https://'
/** Nothing is written to a log, so that no such folder is made. */
const NOWHERE = join(import.meta.dirname, 'no-such-folder')

export class QueueServer {
  readonly #server: ModelServer
  readonly #peers: (id: string) => QueueServer | undefined
  readonly #extensions: readonly ApiExtension[]
  readonly #colonies: RunningColonies

  constructor(server: ModelServer, peers: (id: string) => QueueServer | undefined) {
    this.#server = server
    this.#peers = peers
    const { duties } = server.parts
    this.#colonies = new RunningColonies(server.clock)
    const calls = colonyCalls((namespace) => this.#colonies.of(namespace))
    this.#extensions = calls.map((extension) =>
      passedOn(
        { ...extension, ledBy: () => DUTY },
        { duties: () => duties, clock: server.clock, sessions: async () => this.#sessions() as never },
      ),
    )
    duties.reachedAt(`${SCHEME}${server.id}`)
    void duties.lead(
      DUTY,
      async (held) => {
        const api = shardApi(server.parts.apiOf(held), SHARD)
        const noClient = () => Promise.reject(new Error('nobody joins'))
        const { colony, done } = await startColony({
          api,
          client: noClient,
          clientAs: noClient,
          clock: server.clock,
          log: silentLog,
          signal: held.signal,
          claims: false,
          logsDirectory: NOWHERE,
        })
        const remove = this.#colonies.add(SHARD, colony, held.signal)
        await done
        remove()
      },
      new AbortController().signal,
    )
  }

  /** A call of an executor, by whichever server it reaches. */
  async call(subresource: string, request: ExtensionRequest, signal: AbortSignal): Promise<ExtensionAnswer> {
    const extension = this.#extensions.find((one) => one.subresource === subresource && one.verb === 'create')
    if (extension === undefined) throw new Error(`nobody serves ${subresource}`)
    return this.#server.request(() => extension.connect(request, USER, signal))
  }

  /** In place of connections to other servers. */
  #sessions() {
    type Sent = { headers: Record<string, string>; body: Uint8Array | undefined; signal: AbortSignal }
    return {
      send: async (address: string, { headers, body, signal }: Sent) => {
        const target = this.#peers(address.slice(SCHEME.length))
        if (target === undefined) throw Object.assign(new Error('nobody is there'), { name: 'NotSentError' })
        const { pathname, searchParams } = new URL(headers[':path'] ?? '', 'http://peer')
        const [name = '', subresource = ''] = pathname.split('/').slice(-2)
        const request = requestOf(name, searchParams, Buffer.from(body ?? '').toString(), true)
        // A server that died answers nothing more: the call ends when another leads.
        const answer = await Promise.race([target.call(subresource, request, signal), endOf(signal)])
        return { headers: { ':status': answer.status ?? 200 }, body: Object.assign(piecesOf(answer), { destroy() {} }) }
      },
    }
  }
}

/** Rejects when the signal ends. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Disconnected())
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** As it goes over a wire. */
export async function* piecesOf({ body }: ExtensionAnswer): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) yield Buffer.from(body)
  else if (Symbol.asyncIterator in body) yield* body
  else yield Buffer.from(JSON.stringify(body))
}

export function requestOf(name: string, query: URLSearchParams, body: string, isPassedOn = false): ExtensionRequest {
  return {
    namespace: NAMESPACE,
    name,
    query,
    isPassedOn,
    json: async () => JSON.parse(body),
    bytes: async () => Buffer.from(body),
    requirePermission: () => undefined,
  }
}
