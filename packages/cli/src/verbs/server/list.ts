// `homeostat server list`: the servers of one store by their Leases, where others reach them, and what each of them leads.

import type { ApiObject } from '@homeostat/client'
import { isMemberLease, type MemberLease, type MemberState, memberState } from '@homeostat/meta/members'
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

type Lease = ApiObject & MemberLease

const NAMESPACE = 'kube-system'

export async function listServers(
  values: Values<(typeof listOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  await withServer(values, terminal, async ({ client }) => {
    const leases = await listObjects<Lease>(client, LEASES, { namespace: NAMESPACE })
    const now = (terminal.clock ?? Date).now()
    const members = leases.filter(isMemberLease)
    const columns = serverColumns((lease) => memberState(lease, leases, now), now)
    const empty = 'the server is the only one: servers of one store need --store etcd'
    return printList(terminal, { columns, output: values.output, empty }, members)
  })
  return 0
}

function serverColumns(stateOf: (lease: Lease) => MemberState, now: number): Column<Lease>[] {
  return [
    { header: 'NAME', text: (lease) => stateOf(lease).id, firm: true },
    { header: 'ADDRESS', text: (lease) => stateOf(lease).address },
    { header: 'PHASE', text: (lease) => stateOf(lease).phase, tone: toneOf },
    { header: 'LAST-SEEN', text: ({ spec }) => ageOf(spec?.renewTime, now) },
    { header: 'DUTIES', text: (lease) => stateOf(lease).duties.join(',') },
    { header: 'AGE', text: ({ metadata }) => ageOf(metadata.creationTimestamp, now), wide: true },
  ]
}
