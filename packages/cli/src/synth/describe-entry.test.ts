import { expect, test } from 'vitest'
import { readProject } from '../project/read-project.ts'
import { describeEntry } from './describe-entry.ts'
import { NOTE, projectFolder } from './project.fixture.ts'

const describe = (main: string, limitMs?: number) => {
  const project = readProject(projectFolder({ 'src/main.ts': main, 'src/note.ts': NOTE }))
  return describeEntry(project, { env: process.env, ...(limitMs !== undefined && { limitMs }) })
}

const RUN = `import { run } from '@homeostat/operator'; import { note } from './note.ts'\n`

/** Keeps a process alive. */
const LISTEN = `import { createServer } from 'node:http'; createServer().listen(0)\n`

test.each([
  ['that ends', 'run(note)'],
  ['that waits for what never comes', 'await run(note).done'],
  ['that prints', 'console.log("hello"); console.error("hello"); run(note)'],
  ['that opens a port', `${LISTEN}await run(note).ready`],
])('a program %s is described', async (_, main) => {
  const described = await describe(RUN + main)
  expect(described).toMatchObject([{ kinds: [{ apiVersion: 'ex.io/v1', kind: 'Note' }] }])
})

test('a program that calls run() twice has two descriptions', async () => {
  const two = 'run(note, { name: "a" }); run({ ...note, kind: "Page", definition: undefined }, { name: "b" })'
  expect((await describe(RUN + two)).map(({ name }) => name)).toEqual(['a', 'b'])
})

test.each([
  ['never calls run()', 'import "./note.ts"', /main\.ts ended without calling run\(\)/],
  ['throws', `throw new Error('no settings')`, /main\.ts failed:\n[\s\S]*no settings/],
  ['throws later', `${RUN}run(note); throw new Error('late')`, /failed:\n[\s\S]*late/],
  ['is refused by run()', `${RUN}run(note, note)`, /failed:\n[\s\S]*controlled twice/],
  ['has a mistake', 'const x: = 1', /failed/],
  ['imports what is not there', 'import "./gone.ts"', /failed:\n[\s\S]*gone\.ts/],
])('a program that %s is a fault that says so', async (_, main, message) => {
  await expect(describe(main)).rejects.toThrow(message)
})

test('a program that waits before run() is ended', async () => {
  const waits = `${LISTEN}await new Promise(() => {}); ${RUN}run(note)`
  await expect(describe(waits, 3000)).rejects.toThrow(/main\.ts did not call run\(\) within 3 s/)
})
