import { operator } from '@homeostat/operator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testColony } from './test-colony.ts'

const note = operator('ex.io/v1/Note', { spec: z.object({ text: z.string() }) }, ({ spec, child }) => [
  child('v1', 'ConfigMap', { data: { text: spec.text } }),
])
const hello = { apiVersion: 'ex.io/v1', kind: 'Note', name: 'hello', namespace: 'default' }
const settings = { apiVersion: 'v1', kind: 'ConfigMap', name: 'hello', namespace: 'default' } as const

test('an operator that pulls runs in the colony of a test, and ends with it', async () => {
  const colony = await testColony()
  const running = colony.run(note, { name: 'notes', pull: { executorType: 'notes' } })
  await running.ready
  const { apiVersion, kind, name, namespace } = hello
  const [created] = await colony.apply({ apiVersion, kind, metadata: { name, namespace }, spec: { text: 'hi' } })
  expect(created?.metadata.uid).toBeDefined()
  const { data } = await colony.until(settings, ({ data }) => data !== undefined)
  expect(data).toEqual({ text: 'hi' })
  await colony.client.resourceOf(apiVersion, kind).delete(hello)
  await colony.untilGone(settings)
  await colony.close()
  await running.done
})
