// Runs the add-ons of a server inside its process, each with a client, an account and the rights that it declares, from the
// first object that wakes it until the server ends. An add-on that fails is started again; the server goes on without it.

import type { ApiExtension } from '@homeostat/apiserver'
import { type ApiServer, type Held, SHARDS, shardApi, shardDuty, type User } from '@homeostat/apiserver'
import type { AddOn, LocalWebhook } from '@homeostat/apiserver/add-on'
import type { Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import { LocalWebhooks } from './local-webhooks.ts'
import { MeasuredParts } from './measured-parts.ts'

type Server = Pick<ApiServer, 'account' | 'connect' | 'firstOf' | 'api' | 'measure' | 'duties' | 'serveWebhooks'>

/** Add-ons start a little later than the server, so that clients that waited for it come first. */
const FIRST_ANSWERS_MS = 20
/** The back-off after failures of an add-on. */
const RETRY_MS = { min: 1000, max: 60_000 }

/** The definitions of all add-ons, as the server takes them. */
export function definitionsOf(addOns: readonly AddOn[]): KubeObject[] {
  return addOns.flatMap(({ definitions = [] }) => definitions.map((definition) => ({ ...definition })))
}

/** The parts of the API that add-ons serve: whoever runs the program answers. */
export function extensionsOf(addOns: readonly AddOn[]): ApiExtension[] {
  return addOns.flatMap(({ name, split, start, extensions = [] }) => {
    if (start === undefined) return extensions
    const ledBy = (namespace: string | undefined) =>
      split === 'byNamespace' ? shardDuty(dutyOf(name), namespace) : dutyOf(name)
    return extensions.map((extension) => ({ ...extension, connect: extension.connect.bind(extension), ledBy }))
  })
}

/** A Lease is called by it. */
function dutyOf(addOn: string): string {
  return `add-on-${addOn.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
}

/** Resolves when the signal has ended them all; never rejects. */
export async function runAddOns(
  server: Server,
  addOns: readonly AddOn[],
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  await pause(FIRST_ANSWERS_MS, signal)
  await Promise.all(addOns.map((addOn) => runAddOn(server, addOn, log, signal)))
}

async function runAddOn(server: Server, addOn: AddOn, log: Log, signal: AbortSignal): Promise<void> {
  const { name, wakes, start, split } = addOn
  const { duties } = server
  await makeObjects(server, addOn, log)
  if (!start) return
  if (wakes) await server.firstOf(wakes, signal)
  const measured = new MeasuredParts(server)
  const lead = (duty: string, shard?: number) =>
    duties.lead(duty, (held) => runProgram(server, addOn, { held, shard, log, measured }), signal)
  if (duties.isShared && split === 'byNamespace') {
    await Promise.all(Array.from({ length: SHARDS }, (_, shard) => lead(`${dutyOf(name)}-${shard}`, shard)))
  } else await lead(dutyOf(name))
}

interface Program {
  readonly held: Held
  readonly shard: number | undefined
  readonly log: Log
  readonly measured: MeasuredParts
}

/** Runs the program of an add-on, again after a failure, as long as this server has the duty. */
async function runProgram(server: Server, addOn: AddOn, { held, shard, log, measured }: Program): Promise<void> {
  const { name, start, access = [] } = addOn
  const { signal } = held
  const account = server.account({ username: addOnAccount(name), manager: name }, access, held)
  const api = shard === undefined ? account.api : shardApi(account.api, shard)
  for (let wait = RETRY_MS.min; !signal.aborted; wait = Math.min(wait * 2, RETRY_MS.max)) {
    const client = await localClient(server, name, account.user, held)
    // A start after a failure serves under the same names.
    const webhooks = server.duties.isShared ? undefined : new LocalWebhooks(server, dutyOf(name))
    const inside = {
      api,
      shard,
      former: held.former,
      clientAs: (other: User) => localClient(server, name, other, held),
      serveWebhooks: webhooks && ((answer: LocalWebhook) => webhooks.serve(answer)),
      log,
      measure: measured.begin(shard),
    }
    try {
      log.info({ addOn: name, shard }, 'add-on started')
      await start?.call(addOn, client, signal, inside)
      return
    } catch (error) {
      if (!signal.aborted) log.error({ addOn: name, err: error, retryMs: wait }, 'an add-on failed')
    } finally {
      webhooks?.close()
      client.close()
    }
    await pause(wait, signal)
  }
}

/** The server makes them on behalf of the add-on, which needs no right to them. */
async function makeObjects(server: Server, addOn: AddOn, log: Log): Promise<void> {
  const { name } = addOn
  const api = server.api({ username: addOnAccount(name), manager: name })
  for (const { resource, object } of (await addOn.objects?.()) ?? []) {
    const { namespace, name: called } = object.metadata
    try {
      if (!api.object(resource, namespace === undefined ? { name: called } : { namespace, name: called }))
        await api.create(resource, object)
    } catch (error) {
      // Another server was first.
      if (isStatusError(error, 'AlreadyExists')) continue
      log.error({ addOn: name, err: error, object: called }, 'an object of an add-on could not be made')
    }
  }
}

/** Imports the client when the first add-on starts; a server without add-ons does not load it. */
async function localClient(server: Server, name: string, user: User, held: Held): Promise<Client> {
  const [{ createClient }, { nodeTransport }] = await Promise.all([
    import('@homeostat/client'),
    import('@homeostat/client/node'),
  ])
  const headers = { 'user-agent': `homeostat-add-on/${name}` }
  return createClient(nodeTransport({ url: 'http://localhost', headers, connect: () => server.connect(user, held) }))
}

/** The user name of an add-on. */
export function addOnAccount(name: string): string {
  return `system:serviceaccount:homeostat-system:${name}`
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
