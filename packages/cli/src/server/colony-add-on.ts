// The built-in add-on that queues Processes for executors and reconciles resources through them. Its code is loaded with
// the first object it cares for: a server without any pays for four definitions.

import { join } from 'node:path'
import type { ApiExtension, ExtensionRequest } from '@homeostat/apiserver'
import type { Colony } from '@homeostat/colony'
import { colonyDefinitions, processRules } from '@homeostat/colony/kinds'
import type { Clock } from '@homeostat/queue'
import type { AddOn } from '../add-on.ts'
import { addOnUser } from './add-ons.ts'

const NAME = 'colony'
const HANDLER = 'colonies.io/handler'
const OWN = ['processes', 'executors', 'resourcedefinitions', 'customresourcedefinitions']

/** A call that came with the first object waits so long for the colony to be there. */
const START_MS = 10_000

/** `clock` is for tests. */
export function colonyAddOn(dataDirectory: string, clock?: Clock): AddOn {
  let running: Colony | undefined
  let started = Promise.withResolvers<Colony>()
  const call = (
    resource: string,
    subresource: string,
    verb: ApiExtension['verb'],
    answer: (colony: Colony, request: ExtensionRequest, signal: AbortSignal) => ReturnType<ApiExtension['connect']>,
  ): ApiExtension => ({
    group: 'colonies.io',
    version: 'v1',
    resource,
    subresource,
    verb,
    connect: async (request, _user, signal) => answer(running ?? (await within(started.promise)), request, signal),
  })
  return {
    name: NAME,
    definitions: colonyDefinitions,
    rules: [processRules(() => (clock ?? Date).now(), addOnUser(NAME).username)],
    wakes: [
      ...OWN.map((resource) => ({ group: 'colonies.io', resource })),
      { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', holding: HANDLER },
    ],
    extensions: [
      call('executors', 'assign', 'create', (colony, request, signal) => colony.assign(request, signal)),
      call('executors', 'heartbeat', 'create', (colony, request) => colony.heartbeat(request)),
      call('processes', 'close', 'create', (colony, request) => colony.closeProcess(request)),
      call('processes', 'log', 'create', (colony, request) => colony.writeLog(request)),
      call('processes', 'log', 'get', async (colony, request, signal) => colony.readLog(request, signal)),
    ],
    async start(client, signal, { api, log, measure }) {
      const [{ startColony }, { systemClock }] = await Promise.all([
        import('@homeostat/colony'),
        import('@homeostat/queue'),
      ])
      const { colony, done } = startColony({
        api,
        client: async () => client,
        clock: clock ?? systemClock,
        log,
        signal,
        measure,
        logsDirectory: join(dataDirectory, 'logs'),
      })
      running = colony
      started.resolve(colony)
      try {
        await done
      } finally {
        running = undefined
        started = Promise.withResolvers()
      }
    },
  }
}

async function within(started: Promise<Colony>): Promise<Colony> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the colony did not start in time')), START_MS)
  })
  try {
    return await Promise.race([started, tooLong])
  } finally {
    clearTimeout(timer)
  }
}
