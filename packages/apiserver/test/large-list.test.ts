import { connect } from 'node:net'
import { encodeObject } from '@homeostat/meta/server'
import { afterAll, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { definition, GROUP, SECRETS, secret } from './definitions.ts'
import { DEFINITIONS, serve, type TestServer } from './server.ts'

const server = await serve()
afterAll(() => server.close())
const PLANS = `/apis/${GROUP}/v1/namespaces/default/plans`
const text = { type: 'string' }
const COUNT = 3000

it('of many objects is one picture, however slowly it is read and whatever is written meanwhile', async () => {
  await server.define(definition({ plural: 'plans', spec: { text, old: text } }))
  await seed()
  const before = (await server.get(PLANS)).body
  expect(before.items).toHaveLength(COUNT)

  const reader = await slowly(server, PLANS)
  await inBatches(200, (i) => server.patch(`${PLANS}/plan-${String(i * 15).padStart(4, '0')}`, { spec: { old: 'n' } }))
  await inBatches(200, (i) => server.delete(`${PLANS}/plan-${String(i * 15 + 1).padStart(4, '0')}`))
  const read = await reader.rest()
  expect(read.length).toBe(read.declared)
  // Not its revision: servers on a shared store write heartbeats.
  expect((JSON.parse(read.body) as Body).items).toEqual(before.items)
})

it('is whole or clearly cut off when its definition changes while it is read', async () => {
  const reader = await slowly(server, PLANS)
  const { versions } = (definition({ plural: 'plans', spec: { text, new: { ...text, default: 'added' } } }) as Body)
    .spec
  await server.patch(`${DEFINITIONS}/plans.example.com`, { spec: { versions } })
  const { length, declared, body } = await reader.rest()
  expect(length).toBeLessThanOrEqual(declared ?? length)
  if (length === declared) expect((JSON.parse(body) as Body).items).toHaveLength(COUNT - 200)
  const after = (await server.get(PLANS)).body
  expect(after.items.every(({ spec }) => spec.new === 'added' && spec.old === undefined)).toBe(true)
})

it('can be emptied and filled again', async () => {
  expect((await server.delete(PLANS)).body.items).toHaveLength(COUNT - 200)
  expect((await server.get(PLANS)).body.items).toEqual([])
  await inBatches(300, (i) => server.post(SECRETS, secret(`c${i}`)))
  await server.delete(SECRETS)
  await inBatches(100, (i) => server.post(SECRETS, secret(`c${i}`)))
  expect((await server.get(SECRETS)).body.items).toHaveLength(100)
})

/** Straight into the store: thousands of requests would take longer than what is tested. */
async function seed(): Promise<void> {
  const note = { time: Date.now(), user: 'test', manager: 'test' }
  const put = (_: unknown, i: number) => {
    const name = `plan-${String(i).padStart(4, '0')}`
    const metadata = {
      name,
      namespace: 'default',
      uid: `uid-${i}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 1,
    }
    const plan = { apiVersion: `${GROUP}/v1`, kind: 'Plan', metadata, spec: { text: 'x'.repeat(4000), old: 'o' } }
    return server.store.put(`${GROUP}/plans/default/${name}`, encodeObject(plan), undefined, note)
  }
  await Promise.all(Array.from({ length: COUNT }, put))
  const last = `${PLANS}/plan-${COUNT - 1}`
  while ((await server.get(last)).status !== 200) await new Promise(setImmediate)
}

async function inBatches(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - start) }, (_, i) => work(start + i)))
}

/** Requests a list and reads only its start until `rest` is called. */
async function slowly({ port }: TestServer, path: string) {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  await new Promise<void>((resolve) => {
    socket.once('data', (chunk) => {
      chunks.push(chunk)
      socket.pause()
      resolve()
    })
  })
  return {
    async rest() {
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.resume()
      await new Promise((resolve) => socket.once('close', resolve))
      const whole = Buffer.concat(chunks)
      const end = whole.indexOf('\r\n\r\n') + 4
      const declared = /content-length: (\d+)/i.exec(whole.subarray(0, end).toString())?.[1]
      const body = whole.subarray(end)
      return {
        length: body.length,
        declared: declared === undefined ? undefined : Number(declared),
        body: body.toString(),
      }
    },
  }
}
