// The servers of one store. A single one says that it is the only one.

import { useMemo } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { useTables } from '../../live/use-table.ts'
import { Age, useNow } from '../../parts/age.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Banner } from '../../parts/banner.tsx'
import { Panel } from '../../parts/panel.tsx'
import { MEMBER_PATHS, memberLines } from './member-lines.ts'

const PLACE = ['kube-system']

export function Members() {
  const leases = useShown(servedKinds)?.find('coordination.k8s.io', 'v1', 'leases')
  return leases === undefined ? null : <Lines leases={leases} />
}

function Lines({ leases }: { readonly leases: Kind }) {
  const { state } = useTables(leases, PLACE, { paths: MEMBER_PATHS })
  const now = useNow()
  const lines = useMemo(() => memberLines(state.rows, now), [state.rows, now])
  return (
    <Panel title="Servers of this store" flush={lines.length > 0}>
      {state.trouble !== undefined && <Banner tone="plain">{state.trouble.message}</Banner>}
      {lines.length === 0 ? (
        <p className="quiet">
          This server is the only one. Several servers share a store with <code>--store etcd</code>.
        </p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>Address</th>
              <th>Phase</th>
              <th>Last heard</th>
              <th>Leads</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id, address, phase, lastSeen, duties }) => (
              <tr key={id}>
                <td>{id}</td>
                <td>{address}</td>
                <td>
                  <Badge health={phase === 'Online' ? 'good' : phase === 'Lost' ? 'bad' : 'busy'}>{phase}</Badge>
                </td>
                <td>
                  <Age time={lastSeen} />
                </td>
                <td className="wide">{duties.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
