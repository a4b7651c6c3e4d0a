// A process that writes to a store until it is killed, and prints each answer: `key revision`. Several clients create,
// replace and delete keys of their own, so that batches form.

import { writeSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { Entry } from '../src/index.ts'
import { openSqliteStore } from '../src/index.ts'

enableCompileCache()

const [directory = '', generation = '0', clients = '8', limit = 'Infinity', durability] = process.argv.slice(2)
const synchronous = durability === 'NORMAL' ? 'NORMAL' : 'FULL'
const note = { time: Date.now(), user: 'writer', manager: 'test' }
const limits = { horizonChanges: 200, horizonMs: 1, compactEveryMs: 20, historyPerKey: 2, checkpointPages: 50 }
const store = await openSqliteStore({ directory, synchronous, ...limits })

await tell('ready\n')
let written = 0
await Promise.all(Array.from({ length: Number(clients) }, (_, client) => runClient(client)))
await store.close()

async function runClient(client: number): Promise<void> {
  for (let round = 0; written < Number(limit); round++) {
    const key = `g${generation}/c${client}/${round % 20}`
    const current: Entry | undefined = await store.get(key)
    const deletes = current !== undefined && round % 5 === 4
    const content = `${key} ${round} ${'x'.repeat((round * 37) % 1500)}`
    const bytes = Buffer.from(content)
    const result = deletes
      ? await store.delete(key, current, note)
      : await store.put(key, { bytes, gap: 0, metaEnd: 0 }, current, note)
    if (result.type !== 'committed') throw new Error(`${key}: ${result.type}`)
    written++
    await tell(`${deletes ? 'delete' : 'put'} ${key} ${result.revision} ${bytes.length}\n`)
  }
}

/** One write call, so that a line is either there or not. Waits for a reader that is behind. */
async function tell(line: string): Promise<void> {
  for (;;) {
    try {
      writeSync(1, line)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await setImmediate()
    }
  }
}
