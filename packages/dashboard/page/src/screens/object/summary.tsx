// What one wants to know first: conditions with since when and why, owners, labels, who waits for a deletion.

import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import type { LiveObject, OwnerReference } from '../../live/object.ts'
import { useShown } from '../../live/shown.ts'
import { Age } from '../../parts/age.tsx'
import { type Condition, conditionHealth } from '../../parts/health.ts'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Scroll } from '../../parts/scroll.tsx'

export function Summary({ object }: { readonly kind: Kind; readonly object: LiveObject }) {
  const { metadata } = object
  const conditions = conditionsOf(object.status)
  return (
    <>
      <dl className="facts">
        <dt>Created</dt>
        <dd>
          <Age time={metadata.creationTimestamp} />
        </dd>
        {metadata.deletionTimestamp !== undefined && (
          <>
            <dt>Being deleted</dt>
            <dd>
              since <Age time={metadata.deletionTimestamp} />
              {metadata.finalizers?.length ? `; waits for ${metadata.finalizers.join(', ')}` : ''}
            </dd>
          </>
        )}
        {metadata.generation !== undefined && (
          <>
            <dt>Generation</dt>
            <dd>{metadata.generation}</dd>
          </>
        )}
        {metadata.ownerReferences?.map((owner) => (
          <Owner key={owner.uid} owner={owner} namespace={metadata.namespace} />
        ))}
        {Object.entries(metadata.labels ?? {}).map(([name, value]) => (
          <Fact key={name} name={`label ${name}`} value={value} />
        ))}
      </dl>
      <section aria-labelledby="conditions">
        <h2 id="conditions">Conditions</h2>
        {conditions.length === 0 ? (
          <p>None are written in its status.</p>
        ) : (
          <Scroll label="Table of conditions">
            <table>
              <thead>
                <tr>
                  <th>Type</th>
                  <th>Status</th>
                  <th>Since</th>
                  <th>Reason</th>
                  <th>Message</th>
                </tr>
              </thead>
              <tbody>
                {conditions.slice(0, MOST).map((condition, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a type may stand there twice, whatever the rules say
                  <tr key={`${condition.type} ${index}`}>
                    <td>{condition.type}</td>
                    <td>
                      <span className={`state ${conditionHealth(condition)}`}>{condition.status}</span>
                    </td>
                    <td>
                      <Age time={condition.lastTransitionTime} />
                    </td>
                    <td>{condition.reason}</td>
                    <td className="wide">{condition.message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {conditions.length > MOST && <p>{conditions.length - MOST} more are in its YAML.</p>}
          </Scroll>
        )}
      </section>
    </>
  )
}

const MOST = 100

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function Owner({ owner, namespace }: { readonly owner: OwnerReference; readonly namespace: string | undefined }) {
  const kind = useShown(servedKinds)?.named(owner.apiVersion, owner.kind)
  const text = `${owner.kind} ${owner.name}`
  return (
    <>
      <dt>{owner.controller ? 'Controlled by' : 'Owned by'}</dt>
      <dd>
        {kind === undefined ? (
          text
        ) : (
          <ObjectLink {...kind} namespace={kind.namespaced ? namespace : undefined} name={owner.name}>
            {text}
          </ObjectLink>
        )}
      </dd>
    </>
  )
}

/** Only what has the form of conditions: a status may hold anything. */
function conditionsOf(status: unknown): Condition[] {
  const found = (status as { conditions?: unknown } | undefined)?.conditions
  if (!Array.isArray(found)) return []
  return found.filter((one) => typeof one?.type === 'string' && typeof one?.status === 'string') as Condition[]
}
