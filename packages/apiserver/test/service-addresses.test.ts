// An address or node port belongs to a write only until it ends, however it ends.

import { forbidden } from '@homeostat/meta'
import { expect, it } from 'vitest'
import { serveForTest } from './server.ts'

const SERVICES = '/api/v1/namespaces/default/services'
const service = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }], ...more },
})

it('a dry run, a refused and a failed create leave the address to others', async () => {
  const refuse = ({ metadata: { name } }: { metadata: { name?: string } }) => {
    if (name === 'refused') throw forbidden({ group: '', resource: 'services', name }, 'not that')
  }
  const admission = [
    { name: 'policy', at: 'admit' as const, run: ({ object }: { object: object }) => refuse(object as never) },
  ]
  const server = await serveForTest({ admission })
  expect((await server.post(`${SERVICES}?dryRun=All`, service('dry'))).body.spec).toMatchObject({
    clusterIP: '10.0.0.77',
  })
  expect((await server.post(SERVICES, service('refused'))).status).toBe(403)
  expect((await server.post(SERVICES, service('invalid', { sessionAffinity: 'No' }))).status).toBe(422)
  expect((await server.post(SERVICES, service('stored'))).status).toBe(201)
  expect((await server.post(SERVICES, service('late'))).body.message).toContain('already allocated')
  await server.delete(`${SERVICES}/stored`)
  expect((await server.post(SERVICES, service('next'))).status).toBe(201)
})

it('of two that ask for one address at the same time, one gets it', async () => {
  const server = await serveForTest()
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => server.post(SERVICES, service(name))))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
})
