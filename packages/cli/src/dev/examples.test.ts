import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { definitionManifest } from '@homeostat/operator'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { fakeTerminal } from '../terminal.fixture.ts'
import { applyExamples } from './examples.ts'

let env: TestEnv
beforeEach(async () => {
  env = await testEnv()
})
afterEach(() => env.close())

const note = (name: string, text: unknown = 'a') =>
  `apiVersion: ex.io/v1\nkind: Note\nmetadata: { name: ${name} }\nspec: { text: ${text} }\n`
const definition = definitionManifest({
  group: 'ex.io',
  version: 'v1',
  kind: 'Note',
  spec: z.object({ text: z.string() }),
})

async function applied(
  folder: string,
  onWait: (kind: string) => void = () => {},
  signal = new AbortController().signal,
) {
  const { client } = env
  const options = { client, url: 'http://x', namespace: 'default', terminal: fakeTerminal(), signal, onWait }
  return (await applyExamples(folder, options)).map(({ object, outcome, error = '' }) =>
    `${object} ${outcome} ${error}`.trim(),
  )
}

it('says of each object what became of it, and goes on after one that is refused', async () => {
  await env.client.resourceOf(definition.apiVersion, definition.kind).create(definition)
  const folder = temporaryFolder({ 'a.yaml': `${note('one')}---\n${note('two', 5)}`, 'b.yaml': note('three') })
  expect(await applied(folder)).toEqual([
    'Note default/one created',
    expect.stringMatching(/^Note two failed .*spec\.text/),
    'Note default/three created',
  ])
  rmSync(join(folder, 'b.yaml'))
  const next = temporaryFolder({ 'a.yaml': `${note('one', 'b')}---\n${note('three')}` })
  expect(await applied(next)).toEqual(['Note default/one configured', 'Note default/three unchanged'])
})

it('waits for a kind that comes, and stops waiting at the end', async () => {
  const folder = temporaryFolder({ 'a.yaml': note('one') })
  const waited: string[] = []
  const result = await applied(folder, (kind) => {
    waited.push(kind)
    void env.client.resourceOf(definition.apiVersion, definition.kind).create(definition)
  })
  expect([waited, result]).toEqual([['Note'], ['Note default/one created']])

  const other = temporaryFolder({ 'a.yaml': note('one').replace('Note', 'Other') })
  const ending = new AbortController()
  expect(await applied(other, () => ending.abort(), ending.signal)).toEqual([
    'Other one failed nothing defines Other in ex.io/v1',
  ])
})

it('a folder that is missing is a fault that says what belongs there', async () => {
  await expect(applied('/no/such/folder')).rejects.toThrow(/there is no folder .*; put objects/)
})
