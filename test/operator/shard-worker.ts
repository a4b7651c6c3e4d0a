// A process of an operator that shares its objects, for shards.test.ts: `shard-worker.ts URL NAME OPTIONS`. It prints a line
// for each reconcile; with `steps`, a reconcile also writes its object that often, with a name of its own.

import { setTimeout } from 'node:timers/promises'
import { silentLog } from '@homeostat/base'
import { createClient, nodeTransport } from '@homeostat/client/node'
import { controller, type RunOptions, run } from '@homeostat/operator'

const [, , url = '', name = '', given = '{}'] = process.argv
const { shards, steps = 0 } = JSON.parse(given) as { shards: RunOptions['shards']; steps?: number }
const client = createClient(nodeTransport({ url }))
let runs = 0

const maps = controller('v1', 'ConfigMap', {
  select: { labelSelector: 'shared=yes' },
  reconcile: async ({ object, client: fenced, signal }) => {
    const { name: target, namespace } = object.metadata
    const { round } = (object as { data?: { round?: string } }).data ?? {}
    const id = `${name}-${runs++}`
    process.stdout.write(`${name} ${target} ${round}\n`)
    for (let step = 0; step < steps; step++) {
      const written = { data: { run: id, step: String(step) } }
      await fenced.resourceOf('v1', 'ConfigMap').patch({ name: target ?? '', namespace }, written, { signal })
      await setTimeout(100)
    }
  },
})

const running = run(maps, { client, name: 'shared', log: silentLog, events: false, shards: shards ?? true })
process.on('SIGTERM', () => void running.close().then(() => process.exit(0)))
await running.ready
process.stdout.write('ready\n')
