// The servers of one store, from their Leases: where they are, whether they live, what each of them leads. Pure.

import type { Row } from '../../live/table-replica.ts'

export const MEMBER_PATHS = ['.spec.holderIdentity', '.spec.renewTime', '.spec.leaseDurationSeconds']

const MEMBER = 'homeostat.io/member'
const DUTY = 'homeostat.io/duty'
const ADDRESS = 'homeostat.io/address'
const DUTIES = 'homeostat.io/duties'
const DUTY_PREFIX = 'homeostat-duty-'
/** What the clocks of two machines may differ by. */
const CLOCKS_MS = 5000

export interface MemberLine {
  readonly name: string
  readonly address: string
  readonly phase: 'Online' | 'Draining' | 'Lost'
  readonly lastSeen: string
  readonly duties: readonly string[]
}

export function memberLines(leases: readonly Row[], now: number): MemberLine[] {
  const duties = Map.groupBy(
    leases.filter(({ metadata }) => metadata.labels?.[DUTY] !== undefined),
    ({ fields }) => String(fields?.[0] ?? ''),
  )
  return leases
    .filter(({ metadata }) => metadata.labels?.[MEMBER] !== undefined)
    .map(({ metadata, fields = [] }) => {
      const name = String(fields[0] ?? '')
      const held = (duties.get(name) ?? []).map((lease) => lease.name.slice(DUTY_PREFIX.length))
      return {
        name,
        address: metadata.annotations?.[ADDRESS] ?? '',
        phase: phaseOf(fields, metadata.annotations?.[DUTIES], now),
        lastSeen: String(fields[1] ?? ''),
        duties: held.sort(),
      }
    })
}

/** A server that is about to end offers no duties any more. */
function phaseOf(fields: readonly unknown[], duties: string | undefined, now: number): MemberLine['phase'] {
  const seen = Date.parse(String(fields[1] ?? ''))
  if (!(now - seen <= Number(fields[2] ?? 0) * 1000 + CLOCKS_MS)) return 'Lost'
  return duties === '' ? 'Draining' : 'Online'
}
