// A control plane inside a test: the real API server on a store in memory, with garbage collection and namespace
// deletion, a client, a clock that the test controls, and operators that run against it. It opens no port unless
// `listen` is set.

import { type ApiServer, type DeclaredRule, startApiServer, type User } from '@homeostat/apiserver'
import { ManualClock, systemClock } from '@homeostat/base'
import { type Client, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { type Duration, milliseconds } from '@homeostat/meta'
import type { Runnable, Running } from '@homeostat/operator'
import { MemoryStore } from '@homeostat/store'
import { installTestDefinitions } from './install.ts'
import { localWebhooks } from './local-webhooks.ts'
import { settle } from './settle.ts'
import { DEFAULT_WAIT, type TestObjects, testObjects } from './test-objects.ts'
import { TestOperators, type TestRunOptions } from './test-operators.ts'
import type { Definitions, TypedClient, TypedUntil } from './typed-kinds.ts'
import { WriteLog } from './write-log.ts'

export interface TestEnvOptions<D extends Definitions = Definitions> {
  /**
   * Definitions to install: operators, or CustomResourceDefinitions as objects. Operators also install their own when
   * they run; those listed here type `client` and `until` by their schemas.
   */
  readonly definitions?: D
  /** The first time that the clock shows. Default: now. */
  readonly now?: string | number
  /** The clock moves only when the test advances it. Default: it runs. */
  readonly frozen?: boolean
  /** Also listens on a free port of loopback, for kubectl and other processes. */
  readonly listen?: boolean
  /** The operators may do only this, and other requests of theirs get 403. Default: everything. */
  readonly access?: readonly DeclaredRule[]
}

export interface TestEnv extends TestObjects, AsyncDisposable {
  /** A client with administrator rights. */
  readonly client: Client
  readonly clock: ManualClock
  /** Undefined unless it listens. */
  readonly url: string | undefined
  /** Starts operators against the control plane, on the test's clock. They are closed with the environment. */
  run(operators: Runnable | readonly Runnable[], options?: TestRunOptions): Running
  /** Advances the clock, fires the timers that are due, and waits until the operators have nothing to do. */
  advance(duration: Duration): Promise<void>
  /** Waits until every operator's caches are current and it has nothing to do. */
  settled(timeout?: Duration): Promise<void>
  /** The operators' writes since the last call, as `PATCH /api/v1/...`. */
  takeWrites(): string[]
  close(): Promise<void>
}

/** An environment typed by the definitions it was given. */
export type TypedEnv<D extends Definitions> = {
  readonly client: TypedClient<D>
  readonly until: TypedUntil<D>
} & TestEnv

export async function testEnv<const D extends Definitions = []>(options: TestEnvOptions<D> = {}): Promise<TypedEnv<D>> {
  const definitions: Definitions = options.definitions ?? []
  const { frozen = false, listen = false } = options
  const start = typeof options.now === 'string' ? Date.parse(options.now) : options.now
  if (Number.isNaN(start))
    throw new Error(`testEnv: now ${JSON.stringify(options.now)} is not a time such as 2026-01-01T00:00:00Z`)
  const clock = new ManualClock(start ?? systemClock.now(), { runs: !frozen })
  const store = new MemoryStore()
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: listen ? 0 : undefined,
    clock,
    rolesLater: true,
  })
  const client = localClient(server)
  const writes = new WriteLog()
  const limited = options.access && localClient(server, server.account(OPERATORS, options.access).user)
  const operatorClient = createClient(writes.recorded((limited ?? client).transport), { clock })
  const operators = new TestOperators({ client: operatorClient, clock }, localWebhooks(server))
  const close = once(async () => {
    await operators.close()
    client.close()
    limited?.close()
    await server.close()
    await store.close()
  })
  await installTestDefinitions(client, definitions).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const settled = (timeout: Duration = DEFAULT_WAIT) => settle(operators.running, client, milliseconds(timeout))
  return {
    // The client is the same; only its types are narrower.
    client: client as TypedClient<D>,
    clock,
    url: listen ? `http://127.0.0.1:${server.address.port}` : undefined,
    run: (runnables, runOptions) => operators.run(runnables, runOptions),
    ...testObjects(client),
    async advance(duration) {
      clock.advance(milliseconds(duration))
      await settled()
    },
    settled,
    takeWrites: () => writes.take(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const OPERATORS = { username: 'system:serviceaccount:default:operators', manager: 'operators' }

function localClient(server: ApiServer, user?: User): Client {
  return createClient(nodeTransport({ url: 'http://localhost', connect: () => server.connect(user) }))
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
