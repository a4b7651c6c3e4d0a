import { expect, test } from 'vitest'
import { isMemberLease, type MemberLease, memberState } from './member-leases.ts'

const NOW = Date.parse('2026-01-01T00:01:00Z')
const member = (id: string, renewTime: string, duties: string): MemberLease => ({
  metadata: {
    labels: { 'homeostat.io/member': id },
    annotations: { 'homeostat.io/address': `https://${id}:6443`, 'homeostat.io/duties': duties },
  },
  spec: { holderIdentity: id, renewTime, leaseDurationSeconds: 10 },
})
const duty = (name: string, holderIdentity: string): MemberLease => ({
  metadata: { name: `homeostat-duty-${name}`, labels: { 'homeostat.io/duty': name } },
  spec: { holderIdentity },
})
const other: MemberLease = { metadata: { name: 'executor-a' }, spec: { holderIdentity: 'a' } }

test('a member leads the duties whose Leases name it, and no other Lease counts', () => {
  const a = member('a', '2026-01-01T00:00:55Z', 'gc,colony')
  const all = [duty('gc', 'a'), a, duty('colony', 'a'), duty('controllers', 'b'), other]
  expect(all.filter(isMemberLease)).toEqual([a])
  const lastSeen = '2026-01-01T00:00:55Z'
  expect(memberState(a, all, NOW)).toEqual({
    id: 'a',
    address: 'https://a:6443',
    phase: 'Online',
    lastSeen,
    duties: ['colony', 'gc'],
  })
})

test.each([
  ['Online', '2026-01-01T00:00:45Z', 'gc'],
  ['Draining', '2026-01-01T00:00:45Z', ''],
  ['Lost', '2026-01-01T00:00:44Z', 'gc'],
  ['Lost', '', 'gc'],
])('it is %s when it was last heard of at "%s" and offers "%s"', (phase, renewed, duties) => {
  expect(memberState(member('a', renewed, duties), [], NOW).phase).toBe(phase)
})
