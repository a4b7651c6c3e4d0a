import { describe, expect, it } from 'vitest'
import type { User } from '../identity/user.ts'
import { refusal } from './require-permission.ts'

const jane: User = { username: 'jane', groups: ['system:authenticated'] }

describe('a refusal', () => {
  it('names the user, the verb, the resource and the place', () => {
    const attributes = { verb: 'get', group: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'd' }
    const { status } = refusal(jane, { ...attributes, name: 'x' })
    expect(status).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'deployments.apps "x" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "d"',
      details: { name: 'x', group: 'apps', kind: 'deployments' },
    })
  })

  it('adds a reason if there is one', () => {
    expect(refusal(jane, { path: '/x', verb: 'get' }, 'because').message).toBe(
      'forbidden: User "jane" cannot get path "/x": because',
    )
  })
})
