// The built-in add-on of the colony: it queues Processes for executors and reconciles resources through them. Its code is
// loaded with the first object of its kinds; until then it costs only its definitions. On a store that several servers share, there
// is a colony for each shard of the namespaces.

import { join } from 'node:path'
import type { AddOn } from '@homeostat/apiserver/add-on'
import { type Clock, systemClock } from '@homeostat/base'
import { colonyAccess, colonyCalls, colonyDefinitions, colonyRules, RunningColonies } from '@homeostat/colony/kinds'
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

/** `clock` is for tests. */
export function colonyAddOn(dataDirectory: string, clock?: Clock): AddOn {
  const running = new RunningColonies(clock ?? systemClock)
  return {
    name: NAME,
    split: 'byNamespace',
    definitions: colonyDefinitions,
    access: colonyAccess,
    rules: colonyRules(
      () => (clock ?? Date).now(),
      addOnAccount(NAME),
      () => running.rules,
    ),
    wakes: [
      ...OWN.map((resource) => ({ group: 'colonies.io', resource })),
      { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', holding: HANDLER },
    ],
    extensions: colonyCalls((namespace) => running.of(namespace)),
    async start(client, signal, { api, clientAs, log, measure, shard, former }) {
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
        claims: shard === undefined,
        former,
        logsDirectory: join(dataDirectory, 'logs', ...(shard === undefined ? [] : [`shard-${shard}`])),
      })
      const remove = running.add(shard, colony, signal)
      try {
        await done
      } finally {
        remove()
      }
    },
  }
}
