// `homeostat server list`: the servers of one store by their Leases, where others reach them, and what each of them leads.

import type { ApiObject } from '@homeostat/client'
import { listObjects } from '../../access/objects.ts'
import { LEASES } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import { serverOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { ageOf, toneOf } from '../../output/cells.ts'
import type { Column } from '../../output/table.ts'
import type { Terminal } from '../../terminal.ts'
import { printList } from '../listing.ts'
import { noOperands } from '../operands.ts'

export const listOptions = ['output', ...serverOptions] as const

interface Lease extends ApiObject {
  readonly spec?: {
    readonly holderIdentity?: string
    readonly renewTime?: string
    readonly leaseDurationSeconds?: number
  }
}

const NAMESPACE = 'kube-system'
const MEMBER = 'homeostat.io/member'
const DUTY = 'homeostat.io/duty'
const ADDRESS = 'homeostat.io/address'
const DUTIES = 'homeostat.io/duties'
const DUTY_PREFIX = 'homeostat-duty-'

export async function listServers(
  values: Values<(typeof listOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  await withServer(values, terminal, async ({ client }) => {
    const leases = await listObjects<Lease>(client, LEASES, { namespace: NAMESPACE })
    const members = leases.filter(({ metadata }) => metadata.labels?.[MEMBER] !== undefined)
    const columns = serverColumns(dutiesByHolder(leases), (terminal.clock ?? Date).now())
    const empty = 'the server is the only one: servers of one store need --store etcd'
    return printList(terminal, { columns, output: values.output, empty }, members)
  })
  return 0
}

function serverColumns(duties: ReadonlyMap<string, readonly string[]>, now: number): Column<Lease>[] {
  return [
    { header: 'NAME', text: (lease) => lease.spec?.holderIdentity ?? '', firm: true },
    { header: 'ADDRESS', text: ({ metadata }) => metadata.annotations?.[ADDRESS] ?? '' },
    { header: 'PHASE', text: (lease) => phaseOf(lease, now), tone: toneOf },
    { header: 'LAST-SEEN', text: ({ spec }) => ageOf(spec?.renewTime, now) },
    { header: 'DUTIES', text: ({ spec }) => duties.get(spec?.holderIdentity ?? '')?.join(',') ?? '' },
    { header: 'AGE', text: ({ metadata }) => ageOf(metadata.creationTimestamp, now), wide: true },
  ]
}

/** A server that is about to end offers no duties any more. */
function phaseOf({ metadata, spec }: Lease, now: number): string {
  const seen = Date.parse(spec?.renewTime ?? '')
  if (!(now - seen <= (spec?.leaseDurationSeconds ?? 0) * 1000 + CLOCKS_MS)) return 'Lost'
  return metadata.annotations?.[DUTIES] === '' ? 'Draining' : 'Online'
}

/** What the clocks of two machines may differ by. */
const CLOCKS_MS = 5000

function dutiesByHolder(leases: readonly Lease[]): ReadonlyMap<string, readonly string[]> {
  const duties = leases.filter(({ metadata }) => metadata.labels?.[DUTY] !== undefined)
  const byHolder = Map.groupBy(duties, ({ spec }) => spec?.holderIdentity ?? '')
  return new Map(
    [...byHolder].map(([holder, held]) => [
      holder,
      held.map(({ metadata }) => (metadata.name ?? '').slice(DUTY_PREFIX.length)).sort(),
    ]),
  )
}
