import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { missingReferences } from './missing-references.ts'

test('modules, declarations, threads and tables that are not in a package are found', () => {
  const folder = temporaryFolder({
    'facts/here.json': '{}',
    'dist/a.js': [
      "import { b } from './b.js'",
      "export * from '../c.js'",
      "// import { d } from './d.js'",
      "new URL('./thread.js', import.meta.url), new URL('../facts/here.json', import.meta.url)",
    ].join('\n'),
    'dist/a.d.ts': ["export * from './b.js'", "import './e.js'"].join('\n'),
    'dist/b.d.ts': '',
  })
  expect(missingReferences(folder).sort()).toEqual([
    'dist/a.d.ts refers to ./e.d.ts',
    'dist/a.js refers to ../c.js',
    'dist/a.js refers to ./b.js',
    'dist/a.js refers to ./thread.js',
  ])
})
