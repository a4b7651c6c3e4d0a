import { eventually } from '@homeostat/base/testing/eventually'
import { conflict, forbidden, notFound } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { CONFIG_MAP, NAMESPACE, stage } from './operate.fixture.ts'
import { passingFailure } from './passing-failure.ts'

const namespace = (name: string) => notFound({ resource: 'namespaces' }, name)

describe('a failure', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a conflict', conflict({ resource: 'x' }, 'a', 'changed'), 'somebody else wrote first'],
    ['the end of its namespace', namespace('shop'), 'the namespace is gone'],
    ['a namespace that is not its own', namespace('typo'), undefined],
    ['an object that is not there', notFound({ resource: 'configmaps' }, 'a'), undefined],
    ['no permission', forbidden({ resource: 'configmaps' }, 'no'), undefined],
    ['a mistake', new TypeError('boom'), undefined],
  ])('by %s', (_, error, said) => {
    expect(passingFailure(error, 'shop')).toBe(said)
  })
})

it('what cannot be made in a namespace that ends is no error in the log', async () => {
  const { operate, client } = await stage()
  const said: string[] = []
  const note = (level: string) => (_: object, message: string) => void said.push(`${level} ${message}`)
  const log = { debug: note('debug'), info() {}, warn: note('warn'), error: note('error') }
  const maker = controller('example.com/v1', 'Widget', async (run) => {
    if (run.object.metadata.labels?.go !== undefined) await run.apply({ ...CONFIG_MAP, metadata: { name: 'made' } })
  })
  await operate(maker, { log })
  await client.resource('v1', 'Namespace').create({ metadata: { name: 'shop' } })
  const a = { name: 'a', namespace: 'shop' }
  const widgets = client.resourceOf('example.com/v1', 'Widget')
  await widgets.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { ...a, finalizers: ['x.io/hold'] } })
  await client.resource('v1', 'Namespace').delete({ name: 'shop' })
  await widgets.patch(a, { metadata: { labels: { go: 'yes' } } })
  await eventually(() => said.some((line) => line.startsWith('debug the namespace is being deleted')))
  await widgets.patch(a, { metadata: { finalizers: null } })
  await eventually(async () => (await client.resource('v1', 'Namespace').find({ name: 'shop' })) === undefined)
  expect(said.filter((line) => !line.startsWith('debug'))).toEqual([])
  expect(NAMESPACE).not.toBe('shop')
})
