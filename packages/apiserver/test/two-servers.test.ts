// Two servers in one process share nothing that changes: what one is busy with must not be felt at the other.

import { afterAll, expect, it } from 'vitest'
import { NOTES, notes } from './definitions.ts'
import { serve } from './server.ts'

const busy = await serve()
const idle = await serve()
afterAll(() => Promise.all([busy.close(), idle.close()]))

const YAML = { type: 'application/yaml' }
/** Long enough to be read in a thread. */
const large = (name: string) =>
  `apiVersion: example.com/v1\nkind: Note\nmetadata: {name: ${name}}\nspec: {}\n#${' '.repeat(9 << 10)}\n`

it('the YAML that waits at one server is not counted at the other', async () => {
  await Promise.all([busy.define(notes), idle.define(notes)])
  const crowd = Array.from({ length: 60 }, (_, i) => busy.post(NOTES, large(`busy-${i}`), YAML))
  const full = Promise.any(
    crowd.map(async (answer) => {
      if ((await answer).status !== 429) throw new Error('not refused')
    }),
  )
  await full
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => idle.post(NOTES, large(`idle-${i}`), YAML)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  await Promise.all(crowd)
})
