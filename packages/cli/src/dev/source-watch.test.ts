import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { SourceWatch } from './source-watch.ts'

let folder: string
let main: string
let watched: SourceWatch
let changes: Queue

beforeEach(() => {
  folder = temporaryFolder({ 'src/main.ts': 'first', 'src/other.ts': 'other' })
  main = join(folder, 'src/main.ts')
  changes = new Queue()
  watched = new SourceWatch((files) => changes.put(files))
  onTestFinished(() => watched.close())
  watched.add(main, Number.POSITIVE_INFINITY)
})

class Queue {
  readonly #items: (readonly string[])[] = []
  #waiting: ((files: readonly string[]) => void) | undefined

  put(files: readonly string[]): void {
    if (this.#waiting === undefined) this.#items.push(files)
    else this.#waiting(files)
    this.#waiting = undefined
  }

  next(): Promise<readonly string[]> {
    const first = this.#items.shift()
    return first !== undefined ? Promise.resolve(first) : new Promise((resolve) => (this.#waiting = resolve))
  }
}

it.each<[string, () => void]>([
  ['written in place', () => writeFileSync(main, 'second')],
  ['appended to', () => appendFileSync(main, 'second')],
  ['replaced by sed -i', () => void execFileSync('sed', ['-i', 's/first/second/', main])],
  [
    'saved by an editor that keeps a backup',
    () => {
      renameSync(main, `${main}~`)
      writeFileSync(main, 'second')
    },
  ],
  ['deleted', () => rmSync(main)],
])('a file that is %s is reported once, also the second time', async (_, change) => {
  change()
  expect(await changes.next()).toEqual([main])
  writeFileSync(main, 'third')
  expect(await changes.next()).toEqual([main])
})

it('a file with the same content, and one that was not loaded, are no change', async () => {
  utimesSync(main, new Date(), new Date())
  writeFileSync(main, 'first')
  writeFileSync(join(folder, 'src/other.ts'), 'not loaded')
  writeFileSync(join(folder, 'src/new.ts'), 'not loaded')
  const last = join(folder, 'src/last.ts')
  watched.add(last, Number.POSITIVE_INFINITY)
  writeFileSync(last, 'loaded')
  expect(await changes.next()).toEqual([last])
})

it('many files that change at once are one report', async () => {
  const files = Array.from({ length: 20 }, (_, i) => join(folder, `src/file${i}.ts`))
  for (const file of files) writeFileSync(file, '')
  for (const file of files) watched.add(file, Number.POSITIVE_INFINITY)
  for (const file of files) writeFileSync(file, 'new')
  expect((await changes.next()).toSorted()).toEqual(files.toSorted())
})

it('a file that is missing is reported when it comes, with the folders it needs', async () => {
  const missing = join(folder, 'src/a/b/c.ts')
  watched.add(missing, Number.POSITIVE_INFINITY)
  mkdirSync(join(folder, 'src/a/b'), { recursive: true })
  writeFileSync(missing, 'here')
  expect(await changes.next()).toEqual([missing])
  writeFileSync(missing, 'changed')
  expect(await changes.next()).toEqual([missing])
})

it('a folder that is replaced at once is watched again', async () => {
  const src = join(folder, 'src')
  renameSync(src, join(folder, 'old'))
  mkdirSync(src)
  writeFileSync(main, 'second')
  expect(await changes.next()).toEqual([main])
  writeFileSync(main, 'third')
  expect(await changes.next()).toEqual([main])
})

it('a folder that goes and comes back, as by a checkout, is watched again', async () => {
  rmSync(join(folder, 'src'), { recursive: true })
  expect(await changes.next()).toEqual([main])
  mkdirSync(join(folder, 'src'))
  writeFileSync(main, 'second')
  expect(await changes.next()).toEqual([main])
  writeFileSync(main, 'third')
  expect(await changes.next()).toEqual([main])
})

it('a file that was written after the program had started may not be what it loaded', async () => {
  const other = join(folder, 'src/other.ts')
  watched.add(other, 0)
  expect(await changes.next()).toEqual([other])
})
