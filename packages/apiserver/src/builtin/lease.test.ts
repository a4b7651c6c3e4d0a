import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { builtinNamed } from './builtin-named.fixture.ts'

const { strategy, columns } = builtinNamed('leases')

function lease(fields: object = {}): KubeObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l', namespace: 'n' }, ...fields }
}

describe('Lease', () => {
  it.each([
    [{ leaseDurationSeconds: 0 }, ['spec.leaseDurationSeconds']],
    [{ leaseTransitions: -1 }, ['spec.leaseTransitions']],
    [{ leaseDurationSeconds: 1, leaseTransitions: 0, holderIdentity: '' }, []],
    [{}, []],
  ])('with spec %o has wrong %o', (spec, wrong) => {
    expect(strategy.validate(lease({ spec })).map((cause) => cause.field)).toEqual(wrong)
  })

  it('always has a spec', () => {
    const object = lease()
    strategy.applyDefaults(object)
    expect(object.spec).toEqual({})
  })

  it('refuses a time without microseconds, as Kubernetes does', () => {
    expect(strategy.decodeErrors(lease({ spec: { renewTime: '2026-01-01T00:00:00Z' } }))).toHaveLength(1)
    expect(strategy.decodeErrors(lease({ spec: { renewTime: '2026-01-01T00:00:00.000000Z' } }))).toEqual([])
  })

  it('drops the fields of coordinated leader election', () => {
    const object = lease({ spec: { holderIdentity: 'me', strategy: 'OldestEmulationVersion', preferredHolder: 'you' } })
    strategy.prepareForCreate(object)
    expect(object.spec).toEqual({ holderIdentity: 'me' })
  })

  it('shows its holder', () => {
    expect(columns[1]?.cell(lease({ spec: { holderIdentity: 'me' } }), 0)).toBe('me')
    expect(columns[1]?.cell(lease(), 0)).toBe('')
  })
})
