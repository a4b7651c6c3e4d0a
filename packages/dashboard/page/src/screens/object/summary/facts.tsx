// What metadata says: age, generation, labels, annotations, who waits for a deletion.

import type { Kind } from '../../../kinds/kind.ts'
import { apiVersionOf } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Age } from '../../../parts/age.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { neat } from '../yaml/neat.ts'
import { ShortText } from './short-text.tsx'

const MOST = 50

export function Facts({ kind, object }: { readonly kind: Kind; readonly object: LiveObject }) {
  const { metadata } = object
  const labels = Object.entries(metadata.labels ?? {})
  const annotations = Object.entries(neat(object).metadata.annotations ?? {})
  return (
    <Panel title="Facts">
      <dl className="facts">
        <dt>Kind</dt>
        <dd>
          {kind.kind} <span className="quiet">{apiVersionOf(kind)}</span>
        </dd>
        <dt>Created</dt>
        <dd>
          <Age time={metadata.creationTimestamp} ago />
        </dd>
        {metadata.deletionTimestamp !== undefined && (
          <>
            <dt>Being deleted</dt>
            <dd>
              since <Age time={metadata.deletionTimestamp} />
            </dd>
          </>
        )}
        {metadata.generation !== undefined && (
          <>
            <dt>Generation</dt>
            <dd>{metadata.generation}</dd>
          </>
        )}
        {metadata.finalizers !== undefined && metadata.finalizers.length > 0 && (
          <>
            <dt>Finalizers</dt>
            <dd>{metadata.finalizers.slice(0, MOST).join(', ')}</dd>
          </>
        )}
        {labels.length > 0 && <dt>Labels</dt>}
        {labels.length > 0 && (
          <dd className="marks">
            {labels.slice(0, MOST).map(([name, value]) => (
              <span key={name} className="mark">
                {name}
                {value !== '' && `=${value}`}
              </span>
            ))}
            {labels.length > MOST && ` and ${labels.length - MOST} more`}
          </dd>
        )}
      </dl>
      {annotations.length > 0 && (
        <details className="annotations">
          <summary>
            {annotations.length} {annotations.length === 1 ? 'annotation' : 'annotations'}
          </summary>
          <dl>
            {annotations.slice(0, MOST).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <ShortText text={value} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Panel>
  )
}
