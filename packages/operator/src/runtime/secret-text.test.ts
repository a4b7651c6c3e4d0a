import { eventually } from '@homeostat/base/testing/eventually'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { operator } from '../functional/operator.ts'
import { conditionsOf, openShop } from '../functional/shop.fixture.ts'
import { base64, encodeSecretText } from './secret-text.ts'

const secret = (fields: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, ...fields })

it('encodes plain text beside what is encoded already', () => {
  const given = secret({ stringData: { b: 'plain' }, data: { a: base64('kept') } })
  expect(encodeSecretText(given)).toEqual(secret({ data: { a: 'a2VwdA==', b: 'cGxhaW4=' } }))
})

it('refuses data that is no base64, and leaves other kinds alone', () => {
  expect(() => encodeSecretText(secret({ data: { password: 'not base64!' } }))).toThrow(
    'Secret a: data.password is not base64; write plain text in stringData',
  )
  const map = { ...secret({ data: { a: 'not base64!' } }), kind: 'ConfigMap' }
  expect(encodeSecretText(map)).toBe(map)
})

it('is compared as it is sent: a second run and a restart write nothing', async () => {
  const kind = operator('ex.io/v1/Site', { spec: z.object({}) }, ({ child }) => [
    child('v1', 'Secret', { stringData: { password: 'plain' } }),
  ])
  await using shop = await openShop(kind)
  const running = await shop.operate(kind)
  const home = { apiVersion: 'ex.io/v1', kind: 'Site', metadata: { name: 'home', namespace: 'default' } }
  await shop.apply({ ...home, spec: {} })
  await eventually(async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready?.startsWith('True'))
  expect((await shop.find('v1', 'Secret', 'home'))?.data).toEqual({ password: 'cGxhaW4=' })
  await running.settledWrites()
  await running.close()
  const again = await shop.operate(kind)
  expect(await again.settledWrites()).toEqual([])
})
