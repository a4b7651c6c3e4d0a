// What one wants to know first: why it is not ready, when that is so; then conditions, who owns it and what it owns, what happened, and
// who manages which field.

import type { Kind } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { useOwnerGraph } from '../../../live/owner-graph.ts'
import { Age } from '../../../parts/age.tsx'
import { conditionHealth } from '../../../parts/health.ts'
import { Panel } from '../../../parts/panel.tsx'
import { Children } from './children.tsx'
import { EventList } from './event-list.tsx'
import { Facts } from './facts.tsx'
import { LastChange } from './last-change.tsx'
import { Managers } from './managers-panel.tsx'
import { OwnerChain } from './owner-chain.tsx'
import { conditionsOf, type Reason, reasonsOf } from './reason.ts'
import { ShortText } from './short-text.tsx'

const MOST = 100

export function Summary({ kind, object }: { readonly kind: Kind; readonly object: LiveObject }) {
  const graph = useOwnerGraph(object.metadata.namespace)
  const reasons = reasonsOf(object)
  return (
    <div className="object-part">
      {reasons.length > 0 && <Reasons reasons={reasons} />}
      <LastChange kind={kind} object={object} />
      <OwnerChain object={object} graph={graph} />
      <div className="object-columns">
        <div className="object-part">
          <Conditions object={object} />
          <Children object={object} graph={graph} />
          <EventList object={object} />
        </div>
        <div className="object-part">
          <Facts kind={kind} object={object} />
          <Managers object={object} />
        </div>
      </div>
    </div>
  )
}

/** The worst one in full, the others in a line each. */
function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  const [first, ...others] = reasons
  if (first === undefined) return null
  return (
    <section className={`reason ${first.health}`} aria-label="Why it is not ready">
      <p className="reason-first">
        <strong>{first.what}</strong>
        {first.reason !== undefined && <span>{first.reason}</span>}
        {first.since !== undefined && (
          <span className="quiet">
            since <Age time={first.since} />
          </span>
        )}
      </p>
      {first.message !== undefined && (
        <p>
          <ShortText text={first.message} />
        </p>
      )}
      {others.length > 0 && (
        <p className="quiet">
          Also:{' '}
          {others
            .slice(0, 5)
            .map(({ what }) => what)
            .join(', ')}
          {others.length > 5 && ` and ${others.length - 5} more`}
        </p>
      )}
    </section>
  )
}

function Conditions({ object }: { readonly object: LiveObject }) {
  const conditions = conditionsOf(object.status)
  if (conditions.length === 0)
    return (
      <Panel title="Conditions">
        <p className="quiet">None are written in its status.</p>
      </Panel>
    )
  const { generation } = object.metadata
  return (
    <Panel title="Conditions" flush>
      <table>
        <thead>
          <tr>
            <th>Condition</th>
            <th>Since</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          {conditions.slice(0, MOST).map((condition, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a type may stand there twice, whatever the rules say
            <tr key={`${condition.type} ${index}`}>
              <td>
                <span className={`state ${conditionHealth(condition, conditions) ?? ''}`}>{condition.type}</span>{' '}
                <span className="quiet">{condition.status}</span>
              </td>
              <td>
                <Age time={condition.lastTransitionTime} />
              </td>
              <td className="wide">
                {condition.reason} {condition.message && <ShortText text={condition.message} quiet />}
                {condition.observedGeneration !== undefined &&
                  generation !== undefined &&
                  condition.observedGeneration < generation && (
                    <span className="busy"> (about generation {condition.observedGeneration})</span>
                  )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {conditions.length > MOST && (
        <p className="table-note">{conditions.length - MOST} more conditions are in its YAML.</p>
      )}
    </Panel>
  )
}
