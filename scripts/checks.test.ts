import { expect, test } from 'vitest'
import { callProblems } from './forbidden-calls.ts'
import { judgeImport } from './import-direction.ts'
import { importsOf } from './imports-of.ts'
import { lockProblems } from './lock-file.ts'
import { machinePaths } from './machine-paths.ts'

const rules = {
  folders: {
    'packages/low': { packages: [], node: ['node:buffer'] },
    'packages/high': { packages: ['low'], node: true as const },
  },
  tests: { files: '\\.test\\.ts$', npm: ['vitest'] },
}

test('every shape of import is seen, comments and code that looks alike are not', () => {
  const source = [
    "import a, { b } from 'one'",
    "import type {\n  C,\n  D,\n} from 'two'",
    "export * from 'three'",
    "import 'four'",
    "const e = await import('five')",
    "// import f from 'six'",
    "export function from(text = 'seven') {}",
  ].join('\n')
  expect(importsOf(source).sort()).toEqual(['five', 'four', 'one', 'three', 'two'])
})

test('imports go down the table and never up', () => {
  expect(judgeImport(rules, 'packages/high/src/a.ts', '@homeostat/low')).toBeUndefined()
  expect(judgeImport(rules, 'packages/low/src/a.ts', '@homeostat/high')).toMatch(/may import no other package/)
})

test('a pure package gets only the Node modules the table names, its tests get all', () => {
  expect(judgeImport(rules, 'packages/low/src/a.ts', 'node:buffer')).toBeUndefined()
  expect(judgeImport(rules, 'packages/low/src/a.ts', 'node:fs')).toMatch(/may import node:buffer of Node/)
  expect(judgeImport(rules, 'packages/low/src/a.test.ts', 'node:fs')).toBeUndefined()
})

test('a relative import stays in its package and names its extension', () => {
  expect(judgeImport(rules, 'packages/low/src/a.ts', './b.ts')).toBeUndefined()
  expect(judgeImport(rules, 'packages/low/src/a.ts', './b')).toMatch(/extension/)
  expect(judgeImport(rules, 'packages/low/src/a.ts', '../../high/src/a.ts')).toMatch(/may not leave/)
})

test('test libraries stay in tests, and an unknown folder is an error', () => {
  expect(judgeImport(rules, 'packages/low/src/a.ts', 'vitest')).toMatch(/only tests/)
  expect(judgeImport(rules, 'packages/new/src/a.ts', './b.ts')).toMatch(/says nothing/)
})

test('a path of this machine is found, a part of another path is not', () => {
  const home = ['', 'home', 'someone', ''].join('/')
  expect(machinePaths("read('/build/here/x')", ['/build/here'])).toEqual(['/build/here'])
  expect(machinePaths("read('x/build/here/x')", ['/build/here'])).toEqual([])
  expect(machinePaths(`${home}x`, [])).toEqual([home])
})

test('a locked package needs a version and an integrity, and no download address', () => {
  const sound = { version: '1.0.0', integrity: 'sha512-x' }
  expect(
    lockProblems({ '': {}, 'packages/a': {}, 'node_modules/@x/a': { link: true }, 'node_modules/b': sound }),
  ).toEqual([])
  expect(lockProblems({ 'node_modules/b': {} })).toEqual(['node_modules/b has no version or no integrity'])
  expect(lockProblems({ 'node_modules/b': { ...sound, resolved: 'https://r/b.tgz' } })).toHaveLength(1)
})

test('a forbidden call is found outside its list, and a list that is too long as well', () => {
  const rule = { calls: ['Date.now'], instead: 'ask the clock', allowed: { 'measures a duration': ['a.ts', 'c.ts'] } }
  const sources = new Map([
    ['a.ts', 'const since = Date.now()'],
    ['b.ts', 'run(Date.now)'],
    ['c.ts', '  // Date.now is what others use'],
  ])
  expect(callProblems(rule, sources)).toEqual([
    'b.ts: Date.now: ask the clock',
    'c.ts: has no Date.now; take it off the list',
  ])
})
