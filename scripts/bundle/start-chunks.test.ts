import { expect, test } from 'vitest'
import { startChunks } from './start-chunks.ts'

// Each module with what it imports; `~` marks a late import.
const MODULES: Readonly<Record<string, readonly string[]>> = {
  main: ['first', '~command'],
  first: [],
  command: ['base', '~up', '~get', '~dev'],
  up: ['store', '~code'],
  code: ['api', 'meta', '~yaml'],
  api: ['rules', 'meta'],
  rules: ['base'],
  store: ['record'],
  get: ['meta', 'table', '~yaml'],
  dev: ['api', 'watch'],
  thread: ['record', 'base'],
}

const importsOf = (module: string) => {
  const all = MODULES[module] ?? []
  return {
    importedIds: all.filter((one) => !one.startsWith('~')),
    dynamicallyImportedIds: all.filter((one) => one.startsWith('~')).map((one) => one.slice(1)),
  }
}
const roots = { main: 'main', verb: 'up', threads: ['thread'], serverVerbs: ['dev'] }

test.each([
  ['first', 'early'],
  ['command', 'shared'],
  // Of the verb itself: the store opens before the server is loaded.
  ['up', 'shared'],
  ['store', 'shared'],
  ['meta', 'shared'],
  ['record', 'thread'],
  ['base', 'thread'],
  ['code', 'server'],
  ['api', 'server'],
  ['rules', 'server'],
  // A start does not need them.
  ['yaml', undefined],
  ['table', undefined],
  ['watch', undefined],
  ['thread', undefined],
  ['main', undefined],
])('%s is in the chunk %s', (module, chunk) => {
  expect(startChunks(roots, importsOf)(module)).toBe(chunk)
})
