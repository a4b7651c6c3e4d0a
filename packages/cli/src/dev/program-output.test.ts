import { expect, it } from 'vitest'
import { ProgramOutput, projectFrames } from './program-output.ts'

it('paths are relative to the project, and what Node and dev add is left out', () => {
  const output = new ProgramOutput('/projects/shop')
  const lines = `node:internal/modules/run_main:107
    triggerUncaughtException(
    ^

file:///projects/shop/src/site.ts:3
const x = 'a
          ^

SyntaxError: Invalid string
    at load (/projects/shop/src/main.ts:1:1)
    at resolve (file:///opt/homeostat/lib/cli-operator-host.js:69:23)
    at ModuleLoader.moduleStrategy (node:internal/modules/esm/translators:83:18)
    at node:internal/main/run_main_module:28:49 {
  code: 'ERR'
}

Node.js v24.1.0`
  expect(lines.split('\n').flatMap((line) => output.line(line) ?? [])).toEqual([
    'src/site.ts:3',
    "const x = 'a",
    '          ^',
    '',
    'SyntaxError: Invalid string',
    '    at load (src/main.ts:1:1)',
    '    {',
    "  code: 'ERR'",
    '}',
    '',
  ])
})

it('a stack shows the frames of the project, or else its first', () => {
  const stack = `TypeError: no
    at inner (/shop/node_modules/zod/index.js:1:1)
    at reconcile (file:///shop/src/site.ts:12:3)
    at run (/shop/node_modules/@homeostat/operator/dist/run.js:1:1)`
  expect(projectFrames(stack, '/shop')).toEqual(['at reconcile (src/site.ts:12:3)'])
  expect(projectFrames(stack, '/other')).toHaveLength(3)
})
