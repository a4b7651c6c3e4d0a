import { afterAll, describe, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { GROUP, SECRETS, secret, WIDGETS, widget, widgets } from './definitions.ts'
import { serve, serveForTest } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
const names = (list: Body) => list.items.map(({ metadata }) => metadata.name)
for (const name of ['b', 'a-1', 'a', 'B1'.toLowerCase(), 'a.z', 'c'])
  await server.post(
    WIDGETS,
    widget(name, { size: name.length }, { labels: { name, tier: name < 'b' ? 'one' : 'two' } }),
  )
await server.post(WIDGETS.replace('default', 'kube-public'), widget('elsewhere'))
const ALL = `/apis/${GROUP}/v1/widgets`
const SORTED = ['a', 'a-1', 'a.z', 'b', 'b1', 'c']

it('gives every object with the newest version, in byte order of the names', async () => {
  const { status, body } = await server.get(WIDGETS)
  expect(status).toBe(200)
  expect(body).toMatchObject({ kind: 'WidgetList', apiVersion: `${GROUP}/v1` })
  expect(names(body)).toEqual(SORTED)
  expect(body.items[0]).toMatchObject({ kind: 'Widget', apiVersion: `${GROUP}/v1` })
  expect(Number(body.metadata.resourceVersion)).toBe(await server.store.revision())
  expect(names((await server.get(ALL)).body)).toEqual([...SORTED, 'elsewhere'])
})

it('has an empty list, never null, where there is nothing', async () => {
  const { body } = await server.get('/api/v1/namespaces/default/secrets')
  expect(body.items).toEqual([])
  expect(body.kind).toBe('SecretList')
  expect((await server.get('/api/v1/namespaces/nowhere/secrets')).body.items).toEqual([])
})

describe('pages', () => {
  it('come with a token and with how many are left', async () => {
    const first = (await server.get(`${WIDGETS}?limit=4`)).body
    expect(names(first)).toEqual(SORTED.slice(0, 4))
    expect(first.metadata.remainingItemCount).toBe(2)
    const second = (await server.get(`${WIDGETS}?limit=4&continue=${first.metadata.continue}`)).body
    expect(names(second)).toEqual(SORTED.slice(4))
    expect(second.metadata.continue || undefined).toBeUndefined()
    expect(second.metadata).not.toHaveProperty('remainingItemCount')
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    expect(names((await server.get(`${WIDGETS}?continue=${first.metadata.continue}`)).body)).toEqual(SORTED.slice(4))
    expect(names((await server.get(`${WIDGETS}?limit=6`)).body)).toEqual(SORTED)
  })

  it('have a token of the form that clients know', async () => {
    const { metadata } = (await server.get(`${WIDGETS}?limit=1`)).body
    expect(JSON.parse(Buffer.from(metadata.continue ?? '', 'base64url').toString())).toEqual({
      v: 'meta.k8s.io/v1',
      rv: Number(metadata.resourceVersion),
      start: 'default/a\0',
    })
  })

  it('say nothing of what is left when a selector is given', async () => {
    const { metadata } = (await server.get(`${WIDGETS}?limit=1&labelSelector=tier%3Dtwo`)).body
    expect(metadata.continue).toBeTruthy()
    expect(metadata).not.toHaveProperty('remainingItemCount')
  })

  it('show one picture, whatever is written between them', async () => {
    const before = (await server.get(SECRETS)).body.items.length
    const all = Array.from({ length: 250 }, (_, i) => `page-${String(i).padStart(3, '0')}`)
    await Promise.all(all.map((name) => server.post(SECRETS, secret(name, { was: 'Zmlyc3Q=' }))))
    const seen: Body[] = []
    const versions = new Set<string>()
    let token = ''
    do {
      const { body } = await server.get(`${SECRETS}?limit=60&continue=${token}`)
      seen.push(...body.items)
      versions.add(body.metadata.resourceVersion)
      token = body.metadata.continue ?? ''
      const at = seen.length
      await Promise.all([
        server.post(SECRETS, secret(`page-${String(at).padStart(3, '0')}-new`)),
        server.delete(`${SECRETS}/page-${String(at + 5).padStart(3, '0')}`),
        server.patch(`${SECRETS}/page-${String(at + 6).padStart(3, '0')}`, { data: { was: 'Y2hhbmdlZA==' } }),
      ])
    } while (token !== '')
    expect(seen).toHaveLength(before + all.length)
    expect(seen.map(({ metadata }) => metadata.name)).toEqual(all)
    expect(seen.every(({ data }) => (data as { was: string }).was === 'Zmlyc3Q=')).toBe(true)
    expect(versions.size).toBe(1)
    await server.delete(SECRETS)
  })

  it('refuse a token of another list, and one that is none', async () => {
    const { metadata } = (await server.get(`${WIDGETS}?limit=1`)).body
    const elsewhere = `${WIDGETS.replace('default', 'kube-public')}?continue=${metadata.continue}`
    expect((await server.get(elsewhere)).status).toBe(400)
    for (const token of ['garbage', '%00', Buffer.from('{}').toString('base64url'), '....'])
      expect((await server.get(`${WIDGETS}?continue=${token}`)).body, token).toMatchObject({ reason: 'BadRequest' })
    expect((await server.get(`${WIDGETS}?continue=${metadata.continue}&resourceVersion=5`)).status).toBe(400)
  })

  it('expire with history, and can then go on without consistency', async () => {
    const own = await serveForTest()
    for (const name of ['a', 'b', 'c']) await own.post(SECRETS, secret(name))
    const token = (await own.get(`${SECRETS}?limit=1`)).body.metadata.continue
    await own.post(SECRETS, secret('bb'))
    expect(names((await own.get(`${SECRETS}?limit=2&continue=${token}`)).body)).toEqual(['b', 'c'])
    await own.store.compact(await own.store.revision())
    const { status, body } = await own.get(`${SECRETS}?limit=1&continue=${token}`)
    expect(status).toBe(410)
    expect(body).toMatchObject({
      reason: 'Expired',
      message: expect.stringMatching(/^The provided continue parameter .* may show up in the list\.$/),
    })
    const rest = (await own.get(`${SECRETS}?limit=2&continue=${body.metadata.continue}`)).body
    expect(names(rest)).toEqual(['b', 'bb'])
    expect(names((await own.get(`${SECRETS}?limit=2&continue=${rest.metadata.continue}`)).body)).toEqual(['c'])
  })
})

describe('resource versions', () => {
  it('may be any, at least, or exactly the one that is asked for', async () => {
    const own = await serveForTest()
    await own.post(SECRETS, secret('a'))
    const then = (await own.post(SECRETS, secret('b'))).body.metadata.resourceVersion
    await own.post(SECRETS, secret('c'))
    const at = async (query: string) => names((await own.get(`${SECRETS}?${query}`)).body)
    expect(await at('resourceVersion=0')).toEqual(['a', 'b', 'c'])
    expect(await at(`resourceVersion=${then}`)).toEqual(['a', 'b', 'c'])
    expect(await at(`resourceVersion=${then}&resourceVersionMatch=NotOlderThan`)).toEqual(['a', 'b', 'c'])
    expect(await at('resourceVersion=0&resourceVersionMatch=NotOlderThan')).toEqual(['a', 'b', 'c'])
    expect(await at(`resourceVersion=${then}&resourceVersionMatch=Exact`)).toEqual(['a', 'b'])
    expect(await at(`resourceVersion=${then}&limit=10`)).toEqual(['a', 'b'])
    const exact = await own.get(`${SECRETS}?resourceVersion=${then}&resourceVersionMatch=Exact&limit=1`)
    expect(exact.body.metadata.resourceVersion).toBe(then)
    expect(await at(`continue=${exact.body.metadata.continue}`)).toEqual(['b'])
    await own.store.compact(await own.store.revision())
    const old = await own.get(`${SECRETS}?resourceVersion=${Number(then) - 1}&resourceVersionMatch=Exact`)
    expect(old.body).toMatchObject({ code: 410, reason: 'Expired' })
  })

  it('of the future are answered with a time to come back', async () => {
    for (const path of [WIDGETS, `${WIDGETS}/a`, `${WIDGETS}?watch=1`]) {
      const { status, body, headers } = await server.get(
        `${path}${path.includes('?') ? '&' : '?'}resourceVersion=9000000000`,
      )
      expect(status, path).toBe(504)
      expect(body).toMatchObject({
        reason: 'Timeout',
        message: expect.stringContaining('Too large resource version: 9000000000, current: '),
        details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
      })
      expect(headers.get('retry-after')).toBe('1')
    }
  })

  it('are checked together with how they shall match', async () => {
    const causes = async (query: string) => {
      const { status, body } = await server.get(`${WIDGETS}?${query}`)
      expect(status, query).toBe(422)
      return body.details.causes.map(({ field, reason }) => `${field} ${reason}`)
    }
    expect(await causes('resourceVersionMatch=Exact')).toEqual(['resourceVersionMatch FieldValueForbidden'])
    expect(await causes('resourceVersionMatch=Exact&resourceVersion=0')).toEqual([
      'resourceVersionMatch FieldValueForbidden',
    ])
    expect(await causes('resourceVersionMatch=Never&resourceVersion=1')).toEqual([
      'resourceVersionMatch FieldValueNotSupported',
    ])
    expect(await causes('sendInitialEvents=true')).toEqual(['sendInitialEvents FieldValueForbidden'])
    expect((await server.get(`${WIDGETS}?resourceVersion=abc`)).status).toBeGreaterThanOrEqual(400)
  })
})

describe('selectors', () => {
  const select = async (query: string) => names((await server.get(`${WIDGETS}?${query}`)).body)
  const labels = (selector: string) => select(`labelSelector=${encodeURIComponent(selector)}`)
  const fields = (selector: string) => select(`fieldSelector=${encodeURIComponent(selector)}`)

  it('choose by labels', async () => {
    expect(await labels('name=a')).toEqual(['a'])
    expect(await labels('name==a')).toEqual(['a'])
    expect(await labels('name!=a')).toEqual(SORTED.slice(1))
    expect(await labels('name in (a,b)')).toEqual(['a', 'b'])
    expect(await labels('name notin (a,b), tier')).toEqual(['a-1', 'a.z', 'b1', 'c'])
    expect(await labels('tier=one,name!=a')).toEqual(['a-1', 'a.z'])
    expect(await labels('!tier')).toEqual([])
    expect(await labels('absent!=x')).toEqual(SORTED)
  })

  it('choose by name and namespace', async () => {
    expect(await fields('metadata.name=a')).toEqual(['a'])
    expect(await fields('metadata.name!=a')).toEqual(SORTED.slice(1))
    expect(await fields('metadata.namespace=default,metadata.name=b')).toEqual(['b'])
    const body = (await server.get(`${ALL}?fieldSelector=metadata.namespace%3Dkube-public`)).body
    expect(names(body)).toEqual(['elsewhere'])
  })

  it('are refused when they make no sense', async () => {
    for (const query of [
      'labelSelector=a%20b',
      'labelSelector=a+in+b',
      'fieldSelector=spec.size%3D1',
      'fieldSelector=x',
    ])
      expect((await server.get(`${WIDGETS}?${query}`)).body, query).toMatchObject({ code: 400, reason: 'BadRequest' })
  })

  it('follow labels as they change', async () => {
    await server.patch(`${WIDGETS}/c`, { metadata: { labels: { tier: 'three' } } })
    expect(await labels('tier=three')).toEqual(['c'])
    expect(await labels('tier=two')).toEqual(['b', 'b1'])
  })
})
