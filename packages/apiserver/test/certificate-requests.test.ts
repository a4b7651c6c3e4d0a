import { afterAll, expect, it } from 'vitest'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const pem = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'
const spec = {
  request: Buffer.from(pem).toString('base64'),
  signerName: 'example.com/signer',
  usages: ['client auth'],
}

it('says who asks for a certificate, whatever the request says', async () => {
  const { status, body } = await server.post(REQUESTS, {
    metadata: { name: 'asked' },
    spec: { ...spec, username: 'somebody', uid: 'x', groups: ['more'], extra: { a: ['b'] } },
  })
  expect(status).toBe(201)
  expect(body.spec).toEqual({
    ...spec,
    username: 'system:admin',
    groups: ['system:masters', 'system:authenticated'],
  })
})

it('lets whoever approves leave a note in the metadata, and change nothing but conditions', async () => {
  await server.post(REQUESTS, { metadata: { name: 'approved' }, spec })
  const { status, body } = await server.patch(`${REQUESTS}/approved/approval`, {
    metadata: { annotations: { note: 'fine' } },
    spec: { signerName: 'example.com/other' },
    status: { certificate: 'AAAA', conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
  })
  expect(status).toBe(200)
  expect(body.metadata.annotations).toEqual({ note: 'fine' })
  expect(body.spec.signerName).toBe('example.com/signer')
  expect(body.status).toMatchObject({ conditions: [{ type: 'Approved' }] })
  expect(body.status).not.toHaveProperty('certificate')
})

it('takes conditions with a status too, but no decisions', async () => {
  await server.post(REQUESTS, { metadata: { name: 'told' }, spec })
  const condition = (type: string, reason = 'r') => ({ type, status: 'True', reason, message: 'm' })
  await server.patch(`${REQUESTS}/told/approval`, { status: { conditions: [condition('Approved')] } })
  const { body } = await server.patch(`${REQUESTS}/told/status`, {
    status: { conditions: [condition('Seen'), condition('Denied'), condition('Approved', 'other')] },
  })
  expect(body.status).toMatchObject({ conditions: [{ type: 'Seen' }, { type: 'Approved', reason: 'r' }] })
})

it('names addresses by what they are', async () => {
  const address = (name: string) => ({
    metadata: { name },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'a' } },
  })
  const path = '/apis/networking.k8s.io/v1/ipaddresses'
  expect((await server.post(path, address('fe80::42:1dff:fe84:f9e2'))).status).toBe(201)
  expect((await server.post(path, address('192.168.1.5'))).status).toBe(201)
  expect((await server.post(path, address('a.b'))).body).toMatchObject({
    code: 422,
    details: {
      causes: [
        {
          field: 'metadata.name',
          message: 'Invalid value: "a.b": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        },
      ],
    },
  })
})
