// Runs the add-ons of a server inside its process, each with a client, an account and the rights that it declares, from the
// first object that wakes it until the server ends. An add-on that fails is started again; the server goes on without it.

import type { ApiServer, User } from '@homeostat/apiserver'
import type { AddOn } from '@homeostat/apiserver/add-on'
import type { Log, Metric } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'

type Server = Pick<ApiServer, 'account' | 'connect' | 'firstOf' | 'api' | 'measure'>

/** Add-ons start a little later than the server, so that clients that waited for it come first. */
const FIRST_ANSWERS_MS = 20
/** The back-off after failures of an add-on. */
const RETRY_MS = { min: 1000, max: 60_000 }

/** The definitions of all add-ons, as the server takes them. */
export function definitionsOf(addOns: readonly AddOn[]): KubeObject[] {
  return addOns.flatMap(({ definitions = [] }) => definitions.map((definition) => ({ ...definition })))
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
  const { name, wakes, start } = addOn
  await makeObjects(server, addOn, log)
  if (!start) return
  if (wakes) await server.firstOf(wakes, signal)
  const { user, api } = server.account({ username: addOnAccount(name), manager: name }, addOn.access ?? [])
  for (let wait = RETRY_MS.min; !signal.aborted; wait = Math.min(wait * 2, RETRY_MS.max)) {
    const client = await localClient(server, name, user)
    const inside = {
      api,
      clientAs: (other: User) => localClient(server, name, other),
      log,
      measure: (metric: Metric) => server.measure(metric),
    }
    try {
      log.info({ addOn: name }, 'add-on started')
      await start.call(addOn, client, signal, inside)
      return
    } catch (error) {
      if (!signal.aborted) log.error({ addOn: name, err: error, retryMs: wait }, 'an add-on failed')
    } finally {
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
      log.error({ addOn: name, err: error, object: called }, 'an object of an add-on could not be made')
    }
  }
}

/** Imports the client when the first add-on starts; a server without add-ons does not load it. */
async function localClient(server: Server, name: string, user: User): Promise<Client> {
  const [{ createClient }, { nodeTransport }] = await Promise.all([
    import('@homeostat/client'),
    import('@homeostat/client/node'),
  ])
  const headers = { 'user-agent': `homeostat-add-on/${name}` }
  return createClient(nodeTransport({ url: 'http://localhost', headers, connect: () => server.connect(user) }))
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
