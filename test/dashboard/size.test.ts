// What a browser loads to show the first screen, and what only when it is asked for.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const assets = join(import.meta.dirname, '../../packages/dashboard/page/dist/files/assets')
const MOST = 250 * 1024

function source(file: string): string {
  return readFileSync(join(assets, file), 'utf8')
}

/** The files that come with it: its own static imports, and theirs. */
function closure(files: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const left = [...files]
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (seen.has(file) || !existsSync(join(assets, file))) continue
    seen.add(file)
    for (const [, name = ''] of source(file).matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) left.push(name)
  }
  return seen
}

const gzipped = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipSync(source(file)).length, 0)
const document = readFileSync(join(assets, '../index.html'), 'utf8')
const first = [...document.matchAll(/assets\/([^"]+)"/g)].map(([, name = '']) => name)
const overview = readdirSync(assets).filter((file) => /^overview-.*\.(?:js|css)$/.test(file))

test('the first screen is at most 250 KB, compressed', () => {
  expect(first.some((file) => file.endsWith('.js'))).toBe(true)
  expect(overview.length).toBeGreaterThan(0)
  const loaded = closure([...first, ...overview])
  expect(loaded.size).toBeGreaterThan(3)
  expect(gzipped(loaded), [...loaded].join(' ')).toBeLessThanOrEqual(MOST)
})

test('editor, graph and charts come only when they are opened', () => {
  const loaded = [...closure([...first, ...overview])].map(source).join('\n')
  expect(readdirSync(assets).some((file) => source(file).includes('cm-content'))).toBe(true)
  for (const mark of ['cm-content', 'react-flow__', 'u-legend']) expect(loaded.includes(mark), mark).toBe(false)
})
