import { expect, test } from 'vitest'
import { finishCode, finishDeclarations, finishMap } from './emitted-code.ts'

test('a thread that is found by its place is a built file, a table keeps its name', () => {
  const code = `new Worker(new URL('./thread.ts', import.meta.url)); read(new URL('../facts/a.json', import.meta.url))`
  expect(finishCode(code, 'a.js')).toBe(code.replace('thread.ts', 'thread.js'))
})

test('declarations import declarations, in every way that tsc writes', () => {
  const declarations = [
    "import type { A } from './a.ts';",
    "export * from '../b.ts';",
    "import './c.ts';",
    'export declare const d: import("./deep/d.ts").D;',
  ].join('\n')
  expect(finishDeclarations(declarations, 'x.d.ts')).toBe(declarations.replaceAll('.ts', '.js'))
})

test('a source that would be left over is refused', () => {
  expect(() => finishCode("import { a } from './a.ts';", 'x.js')).toThrow('x.js names the source ./a.ts')
  expect(() => finishDeclarations("declare module './a.ts' {}", 'x.d.ts')).toThrow('x.d.ts names the source ./a.ts')
  expect(() => finishCode('console.log(import.meta.dirname)', 'x.js')).toThrow(/import\.meta is for new URL/)
  const shown = "/**\n * Such as './a.ts'.\n */\nexport declare const a = 1;"
  expect(finishDeclarations(shown, 'x.d.ts')).toBe(shown)
})

test('a map names its source from where it is', () => {
  expect(JSON.parse(finishMap('{"version":3,"sources":["../../somewhere/a.ts"]}', '../src/a.ts'))).toEqual({
    version: 3,
    sources: ['../src/a.ts'],
  })
})
