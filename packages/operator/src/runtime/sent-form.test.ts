import { testEnv } from '@homeostat/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { operator } from '../functional/operator.ts'
import { sentForm } from './sent-form.ts'

const secret = (more: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, ...more })

it.each<[string, object, object]>([
  ['texts become data', { stringData: { a: 'ä' } }, { data: { a: 'w6Q=' } }],
  [
    'texts come before data',
    { data: { a: 'eA==', b: 'eA==' }, stringData: { a: '1' } },
    { data: { a: 'MQ==', b: 'eA==' } },
  ],
  ['texts that are undefined are left out', { stringData: { a: undefined } }, { data: {} }],
  ['data stays', { data: { a: 'eA==' } }, { data: { a: 'eA==' } }],
  ['what is no text is left to the server', { stringData: { a: 1 } }, { stringData: { a: 1 } }],
])('of a Secret %s', (_, more, sent) => {
  expect(sentForm(secret(more))).toEqual(secret(sent))
})

it('other kinds are sent as they are', () => {
  const other = { ...secret({ stringData: { a: 'b' } }), apiVersion: 'ex.io/v1' }
  expect(sentForm(other)).toBe(other)
})

const keys = operator('ex.io/v1/Keys', { spec: z.object({ texts: z.record(z.string(), z.string()) }) }, (c) => [
  c.child('v1', 'Secret', { stringData: c.spec.texts }),
])

it('texts of a Secret that others change are restored, and those that are left out go', async () => {
  await using env = await testEnv()
  await env.run(keys, { name: 'keys' }).ready
  const place = { name: 'a', namespace: 'default' }
  const ref = { apiVersion: 'v1', kind: 'Secret', ...place }
  const apply = (texts: object) => env.apply({ apiVersion: 'ex.io/v1', kind: 'Keys', metadata: place, spec: { texts } })
  const secrets = env.client.resource('v1', 'Secret')
  await apply({ a: '1', b: '2' })
  await env.until(ref, () => true)
  await secrets.patch(place, { data: { a: 'eA==' } })
  await env.settled()
  expect((await secrets.get(place)).data).toEqual({ a: 'MQ==', b: 'Mg==' })
  await apply({ a: '1' })
  await env.settled()
  expect((await secrets.get(place)).data).toEqual({ a: 'MQ==' })
})
