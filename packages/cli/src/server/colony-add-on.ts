// The built-in add-on of the colony: it queues Processes for executors and reconciles resources through them. Its code is
// loaded with the first object of its kinds; until then it costs only its definitions.

import { join } from 'node:path'
import type { AddOn } from '@homeostat/apiserver/add-on'
import { type Clock, systemClock } from '@homeostat/base'
import type { Colony } from '@homeostat/colony'
import { colonyAccess, colonyCalls, colonyDefinitions, colonyRules } from '@homeostat/colony/kinds'
import { serviceUnavailable } from '@homeostat/meta/server'
import { addOnAccount } from './add-ons.ts'

const NAME = 'colony'
const HANDLER = 'colonies.io/handler'
const OWN = [
  'processes',
  'executors',
  'bootstraptokens',
  'resourcedefinitions',
  'customresourcedefinitions',
  'processgraphs',
  'processgraphparts',
  'schedules',
]

/** How long a request that wakes the colony waits for its start. */
const START_MS = 10_000

/** `clock` is for tests. */
export function colonyAddOn(dataDirectory: string, clock?: Clock): AddOn {
  let running: Colony | undefined
  let isEnding = false
  let started = Promise.withResolvers<Colony>()
  return {
    name: NAME,
    definitions: colonyDefinitions,
    access: colonyAccess,
    rules: colonyRules(
      () => (clock ?? Date).now(),
      addOnAccount(NAME),
      () => running,
    ),
    wakes: [
      ...OWN.map((resource) => ({ group: 'colonies.io', resource })),
      { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', holding: HANDLER },
    ],
    extensions: colonyCalls(() => {
      if (isEnding) throw serviceUnavailable('the server ends; call another one, or try again')
      return running ?? within(started.promise)
    }),
    async start(client, signal, { api, clientAs, log, measure }) {
      // With the first object of its kinds: a server without any does not load it.
      const { startColony } = await import('@homeostat/colony')
      const { colony, done } = await startColony({
        api,
        client: async () => client,
        clientAs,
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
        isEnding = signal.aborted
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
