import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { makeTokenKey } from '../pki/pki.ts'
import { type FindObject, ISSUER, ServiceAccountTokens } from './service-account-tokens.ts'
import { TokenKeys } from './token.ts'
import { requestToken } from './token-request.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const SECOND = NOW / 1000
const object = (kind: string, name: string, spec: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, uid: `uid-of-${name}`, ...(kind !== 'Node' && { namespace: 'lab' }) },
  spec,
})
const account = object('ServiceAccount', 'robot')
const objects: Record<string, KubeObject> = {
  'pods/lab/p': object('Pod', 'p', { serviceAccountName: 'robot' }),
  'pods/lab/placed': object('Pod', 'placed', { serviceAccountName: 'robot', nodeName: 'n' }),
  'pods/lab/lost': object('Pod', 'lost', { serviceAccountName: 'robot', nodeName: 'gone' }),
  'pods/lab/other': object('Pod', 'other', { serviceAccountName: 'human' }),
  'nodes//n': object('Node', 'n'),
}
const find: FindObject = (resource, namespace = '', name) => objects[`${resource}/${namespace}/${name}`]
const privateKeys = [makeTokenKey()]
const keys = new TokenKeys(() => privateKeys)
const now = () => NOW
const parts = { accounts: new ServiceAccountTokens({ keys, find, now }), find, now }

function ask(spec?: object, metadata: object = {}): Promise<KubeObject> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, ...(spec && { spec }) }
  return requestToken(account, body, parts)
}

const boundTo = (name: string, more: object = {}) => ({
  boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, ...more },
})

async function claimsOf(spec?: object) {
  const { status } = await ask(spec)
  return keys.verify((status as { token: string }).token) as Record<string, unknown>
}

describe('a token request', () => {
  it('is for an hour and for this server when it does not say', async () => {
    expect(await ask()).toEqual({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: 'robot', namespace: 'lab', uid: 'uid-of-robot', creationTimestamp: '2026-01-31T12:00:00Z' },
      spec: { audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef: null },
      status: { token: expect.any(String), expirationTimestamp: '2026-01-31T13:00:00Z' },
    })
    expect(await claimsOf()).toMatchObject({ exp: SECOND + 3600, aud: [ISSUER] })
  })

  it('can be bound to a pod, and then knows its node', async () => {
    expect((await claimsOf(boundTo('p')))['kubernetes.io']).toMatchObject({ pod: { name: 'p', uid: 'uid-of-p' } })
    expect((await claimsOf(boundTo('placed')))['kubernetes.io']).toMatchObject({ node: { name: 'n', uid: 'uid-of-n' } })
    expect((await claimsOf(boundTo('lost')))['kubernetes.io']).toMatchObject({ node: { name: 'gone' } })
  })

  it('lasts a year for pods that never read their token anew, and says when they should have', async () => {
    const claims = await claimsOf({ ...boundTo('p'), expirationSeconds: 3607 })
    expect(claims).toMatchObject({ exp: SECOND + 365 * 86_400, 'kubernetes.io': { warnafter: SECOND + 3607 } })
    const { status } = await ask({ ...boundTo('p'), expirationSeconds: 3607 })
    expect(status).toMatchObject({ expirationTimestamp: '2026-01-31T13:00:07Z' })
    expect(await claimsOf({ ...boundTo('p'), expirationSeconds: 3607, audiences: ['x'] })).toMatchObject({
      exp: SECOND + 3607,
    })
  })

  it.each<[object, string]>([
    [
      boundTo('other'),
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    ],
    [boundTo('none'), 'pods "none" not found'],
    [boundTo(''), 'Name parameter required.'],
    [
      boundTo('p', { uid: 'old' }),
      'Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (old) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [boundTo('p', { apiVersion: 'apps/v1' }), 'cannot bind token to object of type apps/v1, Kind=Pod'],
    [boundTo('p', { kind: 'constructor' }), 'cannot bind token to object of type /v1, Kind=constructor'],
    [{ expirationSeconds: 599 }, 'may not specify a duration less than 10 minutes'],
    [{ expirationSeconds: 99999999999999999n }, 'Invalid value: 99999999999999999: may not specify a duration larger'],
    [{ expirationSeconds: -99999999999999999n }, 'may not specify a duration less than 10 minutes'],
    [{ expirationSeconds: 2 ** 32 + 1 }, 'may not specify a duration larger than 2^32 seconds'],
  ])('of %o is refused: %s', async (spec, text) => {
    await expect(ask(spec)).rejects.toThrow(text)
  })

  it.each<[object, string]>([
    [{ name: 'human' }, 'metadata.name: Invalid value: "human": must match the service account name if specified'],
    [{ uid: 'old' }, 'the UID in the token request (old) does not match the UID of the service account (uid-of-robot)'],
  ])('with the metadata %o is refused: %s', async (metadata, text) => {
    await expect(ask(undefined, metadata)).rejects.toThrow(text)
  })
})
