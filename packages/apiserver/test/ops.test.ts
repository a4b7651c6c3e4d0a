import { afterAll, describe, expect, it } from 'vitest'
import { CONFIG_MAPS, configMap, WIDGETS, widget, widgets } from './definitions.ts'
import { serve, serveForTest } from './server.ts'

const server = await serve()
afterAll(() => server.close())

describe('health', () => {
  it('is ok, and says why with ?verbose', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/livez/ping', '/readyz/store'])
      expect((await server.get(path)).text, path).toBe('ok')
    const { text } = await server.get('/readyz?verbose')
    expect(text).toBe(
      '[+]ping ok\n[+]store ok\n[+]capacity ok\n[+]records ok\n[+]cache ok\n[+]shutdown ok\nreadyz check passed\n',
    )
    expect((await server.get('/readyz?verbose&exclude=store')).text).toContain('[+]store excluded: ok')
    expect((await server.get('/livez/nothing')).status).toBe(404)
  })

  it('is not ready when the store cannot write, but alive', async () => {
    const own = await serveForTest()
    own.store.health = () => ({ writable: false, reason: 'the disk is full' })
    const { status, text } = await own.get('/readyz')
    expect(status).toBe(500)
    expect(text).toContain('[-]store failed: the disk is full')
    expect((await own.get('/livez')).status).toBe(200)
    expect((await own.get(CONFIG_MAPS)).status).toBe(200)
  })
})

it('counts requests by what they did', async () => {
  await server.define(widgets)
  await server.post(WIDGETS, widget('a'))
  await server.get(`${WIDGETS}/a`)
  await server.get(`${WIDGETS}/none`)
  await server.get(WIDGETS)
  await server.post(CONFIG_MAPS, configMap('a'))
  const watch = await server.watch(WIDGETS)
  await watch.next()
  const { text, headers } = await server.get('/metrics')
  expect(headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const lines = text.split('\n').filter((line) => line.startsWith('apiserver_request_total'))
  const count = (...parts: string[]) =>
    lines
      .find((line) => parts.every((part) => line.includes(part)))
      ?.split(' ')
      .at(-1)
  expect(count('verb="POST"', 'resource="widgets"', 'group="example.com"', 'version="v1"', 'code="201"')).toBe('1')
  expect(count('verb="GET"', 'resource="widgets"', 'code="200"')).toBe('1')
  expect(count('verb="GET"', 'resource="widgets"', 'code="404"')).toBe('1')
  expect(count('verb="LIST"', 'resource="widgets"', 'code="200"')).toBe('1')
  expect(count('verb="POST"', 'resource="configmaps"', 'code="201"')).toBe('1')
  expect(text).toMatch(/apiserver_request_duration_seconds_bucket\{[^}]*le="0\.005"/)
  expect(text).toMatch(/watch[a-z_]*\{[^}]*widgets[^}]*\} 1\n/)
  for (const line of text.split('\n')) expect(line).toMatch(/^$|^# (HELP|TYPE) \w+ .+|^\w+(\{.*\})? \S+$/)
})

it('has a page that leads to everything', async () => {
  const { body } = await server.get('/')
  expect(body).toMatchObject({ name: 'homeostat', paths: expect.arrayContaining(['/apis/example.com/v1', '/readyz']) })
  const endpoints = body.endpoints as { method: string; path: string }[]
  for (const { method, path } of endpoints.filter(({ path }) => !path.includes('{') && path !== '/watch'))
    if (method === 'GET') expect((await server.get(path)).status, path).toBe(200)
})

it('can be closed twice, and finishes what is under way', async () => {
  const own = await serveForTest()
  const under = Array.from({ length: 20 }, (_, i) => own.post(CONFIG_MAPS, configMap(`c${i}`)))
  const first = await under[0]
  expect(first?.status).toBe(201)
  const [codes] = await Promise.all([Promise.allSettled(under), own.close(), own.close()])
  const stored = (await serveForTest({ store: own.store }).catch(() => undefined)) ?? undefined
  expect(stored).toBeUndefined()
  for (const result of codes) if (result.status === 'fulfilled') expect(result.value.status).toBe(201)
})
