// A definition that was stored before its rules were checked: objects stay writable, and their writers are told what is skipped.

import { MemoryStore } from '@homeostat/store'
import { expect, it, onTestFinished } from 'vitest'
import type { Body } from './body.ts'
import { definition, GROUP } from './definitions.ts'
import { DEFINITIONS, serve } from './server.ts'

const PLANS = `/apis/${GROUP}/v1/namespaces/default/plans`
const STORED = 'apiextensions.k8s.io/customresourcedefinitions/plans.example.com'
const note = { time: 0, user: 'test', manager: 'test' }

const rules = (...texts: string[]) => ({
  n: { type: 'integer', 'x-kubernetes-validations': texts.map((rule) => ({ rule })) },
})
const plan = (name: string, n: number) => ({ apiVersion: `${GROUP}/v1`, kind: 'Plan', metadata: { name }, spec: { n } })

/** A server on a store whose definition has the texts changed, as no server would have taken them. */
async function serveChanged(texts: Readonly<Record<string, string>>, ...given: string[]) {
  const store = Object.assign(new MemoryStore(), { close: async () => {} })
  const first = await serve({ store })
  await first.define(definition({ plural: 'plans', spec: rules(...given) }))
  expect((await first.post(PLANS, plan('before', 5))).status).toBe(201)
  await first.close()
  const entry = await store.get(STORED)
  if (entry?.value === undefined) throw new Error('the definition is not in the store')
  let text = Buffer.from(entry.value.bytes).toString()
  for (const [from, to] of Object.entries(texts)) {
    expect(text).toContain(JSON.stringify(from))
    text = text.replaceAll(JSON.stringify(from), JSON.stringify(to))
  }
  await store.put(STORED, { ...entry.value, bytes: Buffer.from(text) }, entry, note)
  const server = await serve({ store })
  onTestFinished(() => server.close())
  return server
}

it('is skipped with a Warning to each writer; the rules beside it are checked', async () => {
  const server = await serveChanged({ 'self > 1': 'self > nobody' }, 'self > 1', 'self < 9')
  const warned = expect.stringMatching(
    /spec\.n: rule was not checked: compilation failed: .*undeclared reference to 'nobody'/,
  )
  const created = await server.post(PLANS, plan('a', 0))
  expect([created.status, created.headers.get('warning')]).toEqual([201, warned])
  const changed = await server.patch(`${PLANS}/before`, { spec: { n: 6 } })
  expect([changed.status, changed.headers.get('warning')]).toEqual([200, warned])
  expect((await server.post(PLANS, plan('b', 9))).status).toBe(422)
  expect((await server.delete(`${PLANS}/a`)).status).toBe(200)
})

it('stays while the schema stays; a change of the schema must mend it', async () => {
  const server = await serveChanged({ 'self > 1': 'self >' }, 'self > 1')
  const at = `${DEFINITIONS}/plans.example.com`
  expect((await server.patch(at, { metadata: { labels: { a: 'b' } } })).status).toBe(200)
  const versions = (spec: object) => ({
    spec: { versions: (definition({ plural: 'plans', spec }) as Body).spec.versions },
  })
  const worse = await server.patch(at, versions({ ...rules('self >'), more: { type: 'integer' } }))
  expect([worse.status, worse.body.message]).toEqual([422, expect.stringContaining('Syntax error')])
  expect((await server.patch(at, versions(rules('self > 3')))).status).toBe(200)
  await expect.poll(async () => (await server.post(`${PLANS}?dryRun=All`, plan('c', 2))).status).toBe(422)
  const kept = await server.post(PLANS, plan('c', 4))
  expect([kept.status, kept.headers.get('warning')]).toEqual([201, null])
})
