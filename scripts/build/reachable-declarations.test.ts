import { expect, test } from 'vitest'
import { reachableDeclarations } from './reachable-declarations.ts'

const files: Readonly<Record<string, string>> = {
  'a/dist/index.d.ts': "export * from './deep/one.js';\nimport type { Other } from '@homeostat/b';",
  'a/dist/deep/one.d.ts': `export declare const one: import("${'..'}/two.js").Two;`,
  'a/dist/two.d.ts': "import type { One } from './deep/one.js';",
  'a/dist/hidden.d.ts': "export * from './two.js';",
}

test('what the entries import is reached, also in a circle; what nothing imports is not', () => {
  const reached = reachableDeclarations(['a/dist/index.d.ts'], (file) => files[file] ?? '')
  expect([...reached]).toEqual(['a/dist/index.d.ts', 'a/dist/deep/one.d.ts', 'a/dist/two.d.ts'])
})
