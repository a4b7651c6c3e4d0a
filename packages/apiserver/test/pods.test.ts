import { afterAll, expect, it } from 'vitest'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

const PODS = '/api/v1/namespaces/default/pods'

function pod(name: string, labels: Record<string, string> = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'a', image: 'image' }] },
  }
}

it('lets a manifest replace its pod without what the server wrote into it', async () => {
  const created = await server.post(PODS, pod('replaced'))
  const { status, body } = await server.put(`${PODS}/replaced`, pod('replaced', { a: 'b' }))
  expect(status).toBe(200)
  expect(body.metadata.labels).toEqual({ a: 'b' })
  expect(body.spec).toEqual(created.body.spec)
  expect(body.spec.tolerations).toHaveLength(2)
})

it('still refuses a pod of another service account', async () => {
  await server.post(PODS, pod('kept'))
  const other = pod('kept')
  const { body } = await server.put(`${PODS}/kept`, { ...other, spec: { ...other.spec, serviceAccountName: 'other' } })
  expect(body).toMatchObject({ code: 422, details: { causes: [{ reason: 'FieldValueForbidden', field: 'spec' }] } })
})
