// The kinds with the most objects: what the server's memory and disk go into.

import { Link } from '@tanstack/react-router'
import { NONE } from '../../app/none.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import type { Sample } from '../../live/metrics/prometheus-text.ts'
import { useShown } from '../../live/shown.ts'
import { Panel } from '../../parts/panel.tsx'

const SHOWN = 10

export function Largest({ samples }: { readonly samples: readonly Sample[] }) {
  const kinds = useShown(servedKinds)
  const counts = samples
    .filter(({ name, value }) => name === 'homeostat_resources' && value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, SHOWN)
  if (counts.length === 0) return null
  return (
    <Panel title="Most objects" flush>
      <table>
        <tbody>
          {counts.map(({ labels: { group: written = '', resource = '' }, value }) => {
            const group = written === 'core' ? '' : written
            const kind = kinds?.all.find((one) => one.group === group && one.resource === resource)
            return (
              <tr key={`${group}/${resource}`}>
                <td>
                  {kind === undefined ? (
                    resource
                  ) : (
                    <Link
                      to="/kinds/$group/$version/$resource"
                      params={{ group: kind.group || NONE, version: kind.version, resource }}
                    >
                      {kind.kind}
                    </Link>
                  )}
                </td>
                <td className="quiet">{group || 'core'}</td>
                <td className="number">{value.toLocaleString('en')}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Panel>
  )
}
