// Who manages which field.

import { useMemo } from 'react'
import type { LiveObject } from '../../../live/object.ts'
import { Age } from '../../../parts/age.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { managersOf } from './managers.ts'

const MOST = 30

export function Managers({ object }: { readonly object: LiveObject }) {
  const { managedFields } = object.metadata
  const managers = useMemo(() => managersOf(managedFields), [managedFields])
  if (managers.length === 0) return null
  return (
    <Panel title="Who manages which field">
      {managers.slice(0, MOST).map(({ name, how, time, fields, more }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a manager may have several entries
        <details key={index} className="manager">
          <summary>
            <strong>{name}</strong> {how} {fields.length + more} {fields.length + more === 1 ? 'field' : 'fields'}
            {time !== undefined && (
              <>
                , <Age time={time} ago />
              </>
            )}
          </summary>
          <ul>
            {fields.map((field) => (
              <li key={field}>
                <code>{field}</code>
              </li>
            ))}
            {more > 0 && <li className="quiet">and {more} more</li>}
          </ul>
        </details>
      ))}
    </Panel>
  )
}
