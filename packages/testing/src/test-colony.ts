// A colony inside a test: the real API server on a store in memory, with the process queue, definitions and handlers.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, type ApiServer, startApiServer } from '@homeostat/apiserver'
import { type Clock, type Log, silentLog, systemClock } from '@homeostat/base'
import { type Client, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { type Colony, startColony } from '@homeostat/colony'
import { colonyCalls, colonyDefinitions, colonyRules } from '@homeostat/colony/kinds'
import type { Runnable, Running } from '@homeostat/operator'
import { MemoryStore, type Store } from '@homeostat/store'
import { localWebhooks } from './local-webhooks.ts'
import { type TestObjects, testObjects } from './test-objects.ts'
import { TestOperators, type TestRunOptions } from './test-operators.ts'

export interface TestColonyOptions {
  /** The clock of the server and the colony. Default: the system's. */
  readonly clock?: Clock
  /** Also listens on a free port of loopback. */
  readonly listen?: boolean
  /** Default: a new store in memory, closed at the end. */
  readonly store?: Store
  readonly log?: Log
  /** Time without a call after which an executor is lost. Default 30 s. */
  readonly lostMs?: number
}

export interface TestColony extends TestObjects, AsyncDisposable {
  readonly server: ApiServer
  readonly client: Client
  readonly api: Api
  readonly colony: Colony
  /** Undefined unless it listens. */
  readonly url: string | undefined
  /** Starts operators, on the colony's clock: `{ pull }` makes executors of them. They are closed with the colony. */
  run(operators: Runnable | readonly Runnable[], options?: TestRunOptions): Running
  close(): Promise<void>
}

const COLONY = { username: 'system:serviceaccount:homeostat-system:colony', manager: 'colony' }

export async function testColony(options: TestColonyOptions = {}): Promise<TestColony> {
  const { clock = systemClock, listen = false, log = silentLog } = options
  const store = options.store ?? new MemoryStore()
  const directory = mkdtempSync(join(tmpdir(), 'homeostat-colony-'))
  const started = Promise.withResolvers<Colony>()
  let running: Colony | undefined
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: listen ? 0 : undefined,
    clock,
    rolesLater: true,
    definitions: colonyDefinitions,
    rules: colonyRules(
      () => clock.now(),
      COLONY.username,
      () => running,
    ),
    extensions: colonyCalls(() => started.promise),
  })
  const client = createClient(nodeTransport({ url: 'http://localhost', connect: () => server.connect() }), { clock })
  const api = server.api(COLONY)
  const operators = new TestOperators({ client, clock }, localWebhooks(server))
  const ending = new AbortController()
  const { colony, done } = await startColony({
    api,
    client: async () => client,
    clientAs: async (user) =>
      createClient(nodeTransport({ url: 'http://localhost', connect: () => server.connect(user) }), { clock }),
    clock,
    log,
    signal: ending.signal,
    logsDirectory: directory,
    ...(options.lostMs !== undefined && { lostMs: options.lostMs }),
    measure: (metric) => server.measure(metric),
  })
  running = colony
  started.resolve(colony)
  const end = async () => {
    await operators.close()
    ending.abort()
    await done
    client.close()
    await server.close()
    if (options.store === undefined) await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
  let ended: Promise<void> | undefined
  const close = () => {
    ended ??= end()
    return ended
  }
  const url = listen ? `http://127.0.0.1:${server.address.port}` : undefined
  return {
    server,
    client,
    api,
    colony,
    url,
    ...testObjects(client),
    run: (runnables, runOptions) => operators.run(runnables, runOptions),
    close,
    [Symbol.asyncDispose]: close,
  }
}
