// Runs the add-ons of a server inside its process, each with a client and an identity of its own, from the first object
// that wakes it until the server ends. An add-on that fails is started again; the server goes on without it.

import type { ApiServer, User } from '@homeostat/apiserver'
import type { AddOn } from '@homeostat/apiserver/add-on'
import type { Log, Metric } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'

type Server = Pick<ApiServer, 'connect' | 'firstOf' | 'api' | 'measure'>

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
  for (let wait = RETRY_MS.min; !signal.aborted; wait = Math.min(wait * 2, RETRY_MS.max)) {
    const client = await localClient(server, name, addOnUser(name))
    const inside = {
      api: server.api({ username: addOnUser(name).username, manager: name }),
      clientAs: (user: User) => localClient(server, name, user),
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

async function makeObjects(server: Server, addOn: AddOn, log: Log): Promise<void> {
  const { name } = addOn
  const api = server.api({ username: addOnUser(name).username, manager: name })
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
async function localClient(server: Pick<ApiServer, 'connect'>, name: string, user: User): Promise<Client> {
  const [{ createClient }, { nodeTransport }] = await Promise.all([
    import('@homeostat/client'),
    import('@homeostat/client/node'),
  ])
  const headers = { 'user-agent': `homeostat-add-on/${name}` }
  return createClient(nodeTransport({ url: 'http://localhost', headers, connect: () => server.connect(user) }))
}

/** Add-ons are part of the server and have all its permissions. */
export function addOnUser(name: string) {
  return {
    username: `system:serviceaccount:homeostat-system:${name}`,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:homeostat-system', 'system:authenticated', MASTERS],
  }
}

const MASTERS = 'system:masters'

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
