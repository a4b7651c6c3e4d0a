// A writer process killed at random moments: what it was told is there afterwards, and the log has no holes.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { tries } from '@homeostat/base/testing/tries'
import { expect, it } from 'vitest'
import { pages } from '../src/conformance/harness.ts'
import type { Change, Store } from '../src/index.ts'
import { openSqliteStore } from '../src/index.ts'
import { freshDirectory } from './fresh-directory.ts'

const KILLS = tries(15)
const writerProgram = fileURLToPath(new URL('./writer-program.ts', import.meta.url))

interface Acknowledged {
  readonly op: string
  readonly key: string
  readonly revision: number
  readonly length: number
}

/** Runs the writer until it has acknowledged so many writes, and kills it there. */
async function writeUntilKilled(
  directory: string,
  generation: number,
  acknowledgements: number,
): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [writerProgram, directory, `${generation}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const acknowledged: Acknowledged[] = []
  for await (const line of createInterface(child.stdout)) {
    const [op = '', key = '', revision, length] = line.split(' ')
    if (op !== 'ready') acknowledged.push({ op, key, revision: Number(revision), length: Number(length) })
    if (acknowledged.length >= acknowledgements) child.kill('SIGKILL')
  }
  await exit
  return acknowledged
}

async function checkRecovered(store: Store, newest: Map<string, Acknowledged>): Promise<void> {
  const entries = new Map((await pages(store, '', 200)).map((entry) => [entry.key, entry]))
  for (const entry of entries.values()) expect(entry.damage).toBeUndefined()
  for (const [key, write] of newest) {
    const entry = entries.get(key)
    // Something newer may be there, written but never acknowledged.
    if (entry !== undefined && entry.revision > write.revision) continue
    const deletedLater = entry === undefined && (await store.history(key)).at(-1)?.op === 'delete'
    if (write.op === 'delete' || deletedLater) expect(entry).toBeUndefined()
    else expect(entry).toMatchObject({ revision: write.revision, value: { bytes: { length: write.length } } })
  }
  await checkContiguous(store)
}

async function checkContiguous(store: Store): Promise<void> {
  const [horizon, revision] = [await store.horizon(), await store.revision()]
  if (horizon === revision) return
  const seen: Change[] = []
  for await (const changes of store.changes(horizon, new AbortController().signal)) {
    seen.push(...changes)
    if (seen.at(-1)?.revision === revision) break
  }
  expect(seen.map((change) => change.revision)).toEqual(
    Array.from({ length: revision - horizon }, (_, i) => horizon + i + 1),
  )
}

it(`loses no acknowledged write in ${KILLS} kills`, async () => {
  const directory = freshDirectory()
  const newest = new Map<string, Acknowledged>()
  let last = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const acknowledged = await writeUntilKilled(directory, kill, 1 + ((kill * 97) % 400))
    for (const write of acknowledged) newest.set(write.key, write)
    last = Math.max(last, ...acknowledged.map((write) => write.revision))
    const store = await openSqliteStore({ directory })
    expect(await store.revision()).toBeGreaterThanOrEqual(last)
    await checkRecovered(store, newest)
    await store.close()
  }
})
