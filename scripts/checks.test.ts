import { expect, test } from 'vitest'
import { signaturesOf } from './api-report.ts'
import { instanceChecks } from './class-identity.ts'
import { readDeclarations } from './declarations.ts'
import { exportedNames } from './exported-names.ts'
import { shortestCycle } from './file-cycles.ts'
import { isTooLong } from './file-size.ts'
import { orderProblems } from './folder-order.ts'
import { callProblems } from './forbidden-calls.ts'
import { judgeImport } from './import-direction.ts'
import { importsOf } from './imports-of.ts'
import { unknownProblems } from './known-problems.ts'
import { lockProblems } from './lock-file.ts'
import { lockstepProblems } from './lockstep.ts'
import { machinePaths } from './machine-paths.ts'
import { moduleState } from './module-state.ts'
import { missingFiles } from './named-files.ts'
import { checkDependencies } from './phantom-dependencies.ts'
import { homeOf, sharedNames } from './public-names.ts'
import { foldersIn, tableProblems } from './readme-folders.ts'
import { versioned } from './release/set-version.ts'

const rules = {
  folders: {
    'packages/low': { packages: [], node: ['node:buffer'] },
    'packages/high': { packages: ['low'], node: true as const, tests: ['testing'] },
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

test('tests of a package import what the table names for them, its sources do not', () => {
  expect(judgeImport(rules, 'packages/high/src/a.test.ts', '@homeostat/testing/colony')).toBeUndefined()
  expect(judgeImport(rules, 'packages/high/src/a.ts', '@homeostat/testing')).toBe('packages/high may import low')
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

test('all packages have one version and want each other in it; a release sets both', () => {
  const manifest = { name: '@homeostat/a', version: '1.0.0', dependencies: { '@homeostat/b': '1.0.0', yaml: '2.0.0' } }
  expect(lockstepProblems('packages/a', manifest, '1.0.0')).toEqual([])
  expect(lockstepProblems('packages/a', manifest, '1.1.0')).toEqual([
    'packages/a/package.json: the version is not 1.1.0',
    'packages/a/package.json: wants @homeostat/b 1.0.0 and not 1.1.0',
  ])
  const next = JSON.parse(versioned(JSON.stringify(manifest, undefined, 2), '1.1.0'))
  expect(lockstepProblems('packages/a', next, '1.1.0')).toEqual([])
  expect(next.dependencies.yaml).toBe('2.0.0')
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

test('a folder imports what stands before it in the order, an entry imports all, and no folder imports an entry', () => {
  const problems = (path: string, specifier: string) =>
    orderProblems(
      'src/',
      ['contract.ts', 'low', 'high'],
      new Map([
        ['src/contract.ts', []],
        ['src/low/a.ts', []],
        ['src/high/b.ts', []],
        [path, [specifier]],
      ]),
    )
  expect(problems('src/high/c.ts', '../low/a.ts')).toEqual([])
  expect(problems('src/high/c.ts', '../contract.ts')).toEqual([])
  expect(problems('src/low/c.ts', '../high/b.ts')).toEqual([
    "src/low/c.ts: import '../high/b.ts': low stands below it in import-rules.json",
  ])
  expect(problems('src/contract.ts', './low/a.ts')).toHaveLength(1)
  expect(problems('src/index.ts', './high/b.ts')).toEqual([])
  expect(problems('src/high/c.ts', '../index.ts')).toHaveLength(1)
  expect(problems('src/high/c.ts', '../../package.json')).toEqual([])
})

test('a package with folders has an order, which names all of them and no other', () => {
  const modules = new Map<string, string[]>([['src/low/a.ts', []]])
  expect(orderProblems('src/', [], modules)).toEqual(['src/: its folders have no order in import-rules.json'])
  expect(orderProblems('src/', ['high'], modules)).toEqual([
    'src/low: has no place in the order of import-rules.json',
    'src/high: is in the order of import-rules.json and does not exist',
  ])
  expect(orderProblems('src/', [], new Map([['src/index.ts', []]]))).toEqual([])
})

test('the shortest way from a file back to itself is found', () => {
  const graph = new Map([
    ['a', ['b', 'c']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', ['e']],
    ['e', []],
  ])
  expect(shortestCycle(graph, 'a')).toEqual(['a', 'c', 'a'])
  expect(shortestCycle(graph, 'b')).toEqual(['b', 'c', 'a', 'b'])
  expect(shortestCycle(graph, 'd')).toBeUndefined()
  expect(shortestCycle(new Map([['a', ['a']]]), 'a')).toEqual(['a', 'a'])
})

test('a package imports its own dependencies, its tests also what serves development', () => {
  const manifests = new Map([
    ['.', { name: 'repository', devDependencies: { vitest: '1' } }],
    ['packages/a', { name: '@x/a', dependencies: { yaml: '1' }, devDependencies: { pg: '1' } }],
  ])
  const problems = (path: string, ...specifiers: string[]) =>
    checkDependencies(new Map([[path, specifiers]]), manifests).problems
  expect(problems('packages/a/src/a.ts', 'yaml/util', '@x/a/entry', 'node:fs', './b.ts')).toEqual([])
  expect(problems('packages/a/src/a.ts', 'pino', '@x/b/entry')).toEqual([
    'packages/a/src/a.ts: pino is not a dependency in packages/a/package.json',
    'packages/a/src/a.ts: @x/b is not a dependency in packages/a/package.json',
  ])
  expect(problems('packages/a/src/a.ts', 'pg', 'vitest')).toHaveLength(2)
  expect(problems('packages/a/src/a.test.ts', 'pg', 'vitest')).toEqual([])
  expect(problems('test/a.ts', 'pino')).toEqual([])
})

test('every shape of export is seen', () => {
  const source = [
    "export { a, type B, c as d } from './a.ts'",
    "export type {\n  E,\n  F,\n} from './b.ts'",
    'export const g = 1',
    'export async function h() {}',
    'export interface I<T> {}',
    'export type J = string',
    'export abstract class K {}',
    'function notThis() {}',
  ].join('\n')
  expect(exportedNames(source)).toEqual(['B', 'E', 'F', 'I', 'J', 'K', 'a', 'd', 'g', 'h'])
})

test('a public name that two packages declare is found', () => {
  const names = new Map([
    ['low', new Map(Object.entries({ Log: 'low/log.ts#Log', Clock: 'low/clock.ts#Clock' }))],
    ['high', new Map(Object.entries({ Log: 'high/log.ts#Log', Clock: 'low/clock.ts#Clock' }))],
  ])
  expect(sharedNames(names)).toEqual(['Log: is declared more than once, in what low and high export'])
})

test('a public name is followed through re-exports to its declaration', () => {
  const files: Record<string, string> = {
    'high/index.ts': "import type { Clock } from '@x/low'\nexport type { Clock }\nexport { z } from 'zod'\n",
    'low/index.ts': "export { type Timer as Clock } from './time/timer.ts'\n",
    'low/time/timer.ts': 'export interface Timer {}\n',
  }
  const home = (name: string) =>
    homeOf(name, 'high/index.ts', new Map([['@x/low', 'low/index.ts']]), (path) => files[path] ?? '')
  expect(home('Clock')).toBe('low/time/timer.ts#Timer')
  expect(home('z')).toBe('zod#z')
})

test('a source of more than 400 lines is too long, unless it was generated', () => {
  expect(isTooLong('a\n'.repeat(400))).toBe(false)
  expect(isTooLong('a\n'.repeat(401))).toBe(true)
  expect(isTooLong(`// Types of v1. Generated by a script.\n${'a\n'.repeat(401)}`)).toBe(false)
})

test('a known problem is passed over, and one that was mended must leave the list', () => {
  const known = { 'not yet': ['a.ts', 'b.ts'] }
  expect(unknownProblems(['a.ts: is bad', 'b.ts: is bad', 'c.ts: is bad'], known)).toEqual(['c.ts: is bad'])
  expect(unknownProblems(['a.ts: is bad'], known)).toEqual(['b.ts: is fine now; take it off known-problems.json'])
})

test('the API report finds a declaration wherever it is, without comments and private members', () => {
  const files: Record<string, string> = {
    'src/index.ts': "export { type Clock, Timer, old as renamed } from './time/clock.ts';\nexport { z } from 'zod';\n",
    'src/time/clock.ts': [
      "import type { Duration } from '../duration.ts';",
      'interface Hidden {',
      '    a: 1;',
      '}',
      '/** Tells the time. */',
      'export interface Clock {',
      '    /** Also `*/*`. */',
      '    now(): number;',
      '}',
      'export declare class Timer {',
      '    #private;',
      '    private old;',
      '    readonly due: Duration;',
      '}',
      'export type { Duration };',
    ].join('\n'),
    'src/duration.ts': 'export type Duration = {\n    ms: number;\n} | {\n    s: number;\n};\n',
  }
  const find = (path: string, name: string) => signaturesOf((file) => readDeclarations(files[file] ?? ''), path, name)
  expect(find('src/index.ts', 'Clock')).toEqual(['interface Clock {\n    now(): number;\n}'])
  expect(find('src/index.ts', 'Timer')).toEqual(['class Timer {\n    readonly due: Duration;\n}'])
  expect(find('src/index.ts', 'renamed')).toEqual(["export { old as renamed } from './time/clock.ts'"])
  expect(find('src/index.ts', 'z')).toEqual(["export { z } from 'zod'"])
  expect(find('src/time/clock.ts', 'Duration')).toEqual([
    'type Duration = {\n    ms: number;\n} | {\n    s: number;\n};',
  ])
  expect(() => find('src/index.ts', 'gone')).toThrow('no declaration of gone')
})

test('state of a module is found, constants and the state of a function are not', () => {
  const state = [
    'let count = 0',
    'export let last: string | undefined',
    'const known = new WeakMap<Schema, Map<string, Field>>()',
    'export const seen: Set<string> = new Set()',
    'const waiting: (() => void)[] = []',
  ]
  const constants = [
    "const NAMES = new Set(['a'])",
    'const NONE: ReadonlySet<never> = new Set()',
    'const NOTHING: readonly string[] = []',
    '  let inside = 0',
    '  readonly #fields = new Map<string, string>()',
    'const readFacts = once(() => JSON.parse(text))',
  ]
  expect(moduleState([...state, ...constants].join('\n'))).toEqual(['count', 'last', 'known', 'seen', 'waiting'])
})

test('a comparison with a class that a package exports is found', () => {
  const source = [
    'if (error instanceof StatusError) return',
    'part.filter((one) => !(one.error instanceof outcome.Waiting))',
    'if (error instanceof TypeError || error instanceof Own) throw error',
  ].join('\n')
  expect(instanceChecks(source, new Set(['StatusError', 'Waiting', 'unused']))).toEqual(['StatusError', 'Waiting'])
})

test('a document names files that exist', () => {
  const text = 'See `queue/work-queue.ts`, `work-queue.ts`, `queue.ts` and `verbs/NOUN/VERB.ts`, not `code()`.'
  expect(missingFiles(text, ['packages/base/src/queue/work-queue.ts'])).toEqual(['queue.ts'])
})

test("a README's table has the package's folders, in the order of their imports", () => {
  const text =
    '| entry | |\n|---|---|\n| `.` | x |\n\n| folder | what |\n|---|---|\n| `low/`, `fault.ts` | x |\n| `high` | `x` |\n\n| `no` | |\n'
  expect(foldersIn(text)).toEqual(['low', 'high'])
  expect(tableProblems(['low', 'high'], ['low', 'high'])).toEqual([])
  expect(tableProblems(['high', 'low', 'old'], ['low', 'high', 'new'])).toEqual([
    'its table lacks the folder new',
    'there is no folder old',
    'low stands below a folder that comes after it in import-rules.json',
  ])
})
