// The declarations type-check in a stranger's project, under the strictest settings that are in use, also of declarations: every
// entry of every package, and every program of the documents.

import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programs } from '../docs/programs.ts'
import { type PackedProject, packedProject } from './packed-project.ts'
import { publishedEntries, publishedLibraries } from './published.ts'

/** The oldest that is supported, and ours. */
const COMPILERS = {
  'TypeScript 5.9': 'typescript-5@npm:typescript@5.9',
  'TypeScript 7': 'typescript-7@npm:typescript@7',
}

let project: PackedProject
beforeAll(async () => {
  project = await packedProject({
    dependencies: [...publishedLibraries().map(({ name }) => name), 'zod@^4.1'],
    devDependencies: [...Object.values(COMPILERS), '@types/node@22', 'vitest@5', 'fast-check@4'],
    files: { 'entries.ts': everyEntry(), ...Object.fromEntries(programs()) },
  })
})
afterAll(() => project[Symbol.dispose]())

function everyEntry(): string {
  return publishedEntries()
    .map((name, index) => `import * as entry${index} from '${name}'\nvoid entry${index}`)
    .join('\n')
}

const settings = (moduleResolution: string) => ({
  compilerOptions: {
    target: 'es2022',
    // `await using`.
    lib: ['es2022', 'esnext.disposable'],
    module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
    moduleResolution,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ['**/*.ts'],
  exclude: ['node_modules'],
})

test.each(
  Object.entries(COMPILERS).flatMap(([name, alias]) =>
    ['nodenext', 'bundler'].map((resolution) => ({ name, resolution, folder: alias.split('@')[0] ?? '' })),
  ),
)('$name with moduleResolution $resolution finds no error', async ({ resolution, folder }) => {
  const file = `tsconfig.${folder}.${resolution}.json`
  project.write({ [file]: JSON.stringify(settings(resolution)) })
  const tsc = join('node_modules', folder, 'bin/tsc')
  const printed = await project.run('node', [tsc, '-p', file]).then(
    () => '',
    (error: Error) => error.message.slice(error.message.indexOf('\n') + 1),
  )
  const problems = printed.split('\n').filter((line) => /^\S.*error TS/.test(line))
  expect(problems).toEqual([])
})
