import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientKinds } from './client-kinds.ts'

const KINDS = join(import.meta.dirname, '../../packages/client/src/kinds')

test("the client's kinds are what scripts/facts/derive-client-kinds.ts makes of our server", async () => {
  const made = await clientKinds()
  expect(readdirSync(KINDS).toSorted()).toEqual([...made.keys()].toSorted())
  for (const [name, text] of made) expect(readFileSync(join(KINDS, name), 'utf8'), name).toBe(text)
})
