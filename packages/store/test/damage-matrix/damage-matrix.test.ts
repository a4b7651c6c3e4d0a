// Every kind of damage to every file of a store, after a clean stop and after a kill. Each cell must end in one of: all
// is there; all but records that are named; the store is refused, and a salvage brings back all but what it names.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remove, set, text } from '../../src/conformance/harness.ts'
import { openSqliteStore } from '../../src/index.ts'
import { type Salvaged, salvageDirectory } from '../../src/maintenance.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { DAMAGES, damaged, type Place, seeded } from './damages.ts'
import { OpenedLog } from './opened-log.ts'

const PAGE = 4096
const FRAME = 4120
const HEADER = 32

/** What was acknowledged: the content of each key and since when, none if it was deleted. */
interface Acknowledged {
  readonly contents: ReadonlyMap<string, { readonly content: string | undefined; readonly revision: number }>
  readonly newest: number
}

interface Base extends Acknowledged {
  readonly clean: string
  readonly killed: string
}

let made: Base
const root = makeMemoryFolder()
beforeAll(async () => {
  made = await makeBase()
})
afterAll(() => rmSync(root, { recursive: true }))

/** A store with objects of many sizes, old versions and deleted keys, partly in the data file and partly in the WAL. */
async function makeBase(): Promise<Base> {
  const directory = join(root, 'data')
  let store = await openSqliteStore({ directory })
  const contents = new Map<string, { content: string | undefined; revision: number }>()
  for (let i = 0; i < 90; i++) {
    const key = `core/configmaps/default/c${i % 70}`
    const content = `${key} ${i} ${'x'.repeat((i * 397) % 6000)}`
    contents.set(key, { content, revision: (await set(store, key, content)).revision })
    if (i === 50) {
      // Moves what is there into the data file.
      await store.close()
      store = await openSqliteStore({ directory })
    }
    if (i % 20 === 19) contents.set(key, { content: undefined, revision: await remove(store, key) })
  }
  const newest = await store.revision()
  // Between two commits the files are what a killed process leaves behind.
  const killed = join(root, 'killed')
  cpSync(directory, killed, { recursive: true })
  await store.close()
  return { contents, newest, clean: directory, killed }
}

type Target = 'main file' | 'WAL header' | 'WAL frame' | 'last frame' | 'lock' | 'high-water' | 'reservation'

const FILES: Readonly<Record<Target, string>> = {
  'main file': 'homeostat.db',
  'WAL header': 'homeostat.db-wal',
  'WAL frame': 'homeostat.db-wal',
  'last frame': 'homeostat.db-wal',
  lock: 'lock.db',
  'high-water': 'high-water',
  reservation: 'reservation',
}

/** Where in the file, several places for the large ones. */
function placesOf(target: Target, size: number): Place[] {
  const frames = Math.floor((size - HEADER) / FRAME)
  switch (target) {
    case 'main file':
      // The first pages hold the schema and the roots of the trees.
      return Array.from({ length: Math.floor(size / PAGE) }, (_, page) => ({ at: page * PAGE, length: PAGE })).filter(
        (_, page) => page < 6 || page % 4 === 0,
      )
    case 'WAL header':
      return [{ at: 0, length: HEADER }]
    case 'WAL frame':
      return Array.from({ length: Math.floor(frames / 6) }, (_, i) => ({ at: HEADER + i * 6 * FRAME, length: FRAME }))
    case 'last frame':
      return [{ at: HEADER + (frames - 1) * FRAME, length: FRAME }]
    default:
      return [{ at: 0, length: Math.max(size, 1) }]
  }
}

/** Rows of the matrix that say nothing: the file is not there, or has no such part. */
function isEmptyCell(end: string, target: Target): boolean {
  return end === 'clean' && FILES[target].endsWith('-wal')
}

describe.each(['clean', 'killed'] as const)('after the store was %s', (end) => {
  for (const target of Object.keys(FILES) as Target[]) {
    if (isEmptyCell(end, target)) continue
    it.each(DAMAGES)(`${target}: %s`, async (damage) => {
      const file = FILES[target]
      const original = readFileSync(join(made[end], file))
      const bytes = original.length > 0 ? original : Buffer.alloc(PAGE, 'not a lock')
      const places = placesOf(target, bytes.length)
      const problems: string[] = []
      for (const [index, place] of (damage === 'delete' ? places.slice(0, 1) : places).entries()) {
        const directory = copyOf(made[end], file, damaged(bytes, damage, place, seeded(index * 7919 + 1)))
        const problem = await problemOf(directory, made, isAllGone(target, damage))
        if (problem !== undefined) problems.push(`at ${place.at}: ${problem}`)
        rmSync(directory, { recursive: true })
      }
      expect(problems).toEqual([])
    })
  }
})

/** Without the data file there may be nothing to salvage; it is refused all the same. */
function isAllGone(target: Target, damage: string): boolean {
  return target === 'main file' && (damage === 'delete' || damage === 'cut')
}

function copyOf(source: string, file: string, bytes: Buffer | undefined): string {
  const directory = mkdtempSync(join(root, 'cell-'))
  cpSync(source, directory, { recursive: true })
  if (bytes === undefined) rmSync(join(directory, file))
  else writeFileSync(join(directory, file), bytes)
  return directory
}

async function problemOf(directory: string, made: Acknowledged, mayBeNothing: boolean): Promise<string | undefined> {
  let log: OpenedLog
  let salvaged: Salvaged | undefined
  try {
    log = new OpenedLog(directory)
  } catch (refused) {
    const { message } = refused as Error
    if (!message.includes('homeostat salvage')) return `refused without a way out: ${message}`
    try {
      salvaged = await salvageDirectory(directory)
      log = new OpenedLog(directory)
    } catch (error) {
      if (mayBeNothing && /nothing can be brought back|holds no data/.test((error as Error).message)) return undefined
      return `refused (${message}), and cannot be salvaged: ${(error as Error).stack}`
    }
  }
  try {
    return lacking(log, made, salvaged) ?? usedTwice(log, made) ?? lacking(log, made, salvaged)
  } catch (error) {
    return `salvaged: ${salvaged !== undefined}; ${(error as Error).stack}`
  } finally {
    closeQuietly(log)
  }
}

/** What is there must be as it was written, and what is not must be named. */
function lacking(log: OpenedLog, { contents }: Acknowledged, salvaged: Salvaged | undefined): string | undefined {
  const found = new Map(log.entries().map((entry) => [entry.key, entry]))
  for (const [key, { content, revision }] of contents) {
    const entry = found.get(key)
    if (entry?.damage !== undefined || (salvaged !== undefined && isNamed(salvaged, key, revision))) continue
    if (content === undefined && entry !== undefined) return `${key} should not be there`
    if (content !== undefined && entry === undefined) return `${key} is gone`
    if (text(entry?.value) !== content) return `${key} has changed`
  }
  return undefined
}

function isNamed({ lost, lostBetween }: Salvaged, key: string, revision: number): boolean {
  return lost.some((name) => name.key === key) || lostBetween.some(([from, to]) => from <= revision && revision <= to)
}

function usedTwice(log: OpenedLog, { newest }: Acknowledged): string | undefined {
  const revision = log.create({ 'new/a': 'a', 'new/b': 'b' })
  return revision - 1 <= newest ? `revision ${revision - 1} was used again` : undefined
}

/** The last checkpoint may fail on a damaged file; nothing was promised about it. */
function closeQuietly(log: OpenedLog): void {
  try {
    log.close()
  } catch {
    // As a store that is closed.
  }
}
