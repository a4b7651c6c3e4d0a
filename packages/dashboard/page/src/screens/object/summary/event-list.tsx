// The Events about the object as a timeline, newest first.

import { useState } from 'react'
import { useEvents } from '../../../live/events.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Age } from '../../../parts/age.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { ShortText } from './short-text.tsx'

const FEW = 8

export function EventList({ object }: { readonly object: LiveObject }) {
  const { uid, namespace } = object.metadata
  const { events, phase, trouble } = useEvents(uid, namespace)
  const [all, setAll] = useState(false)
  const shown = all ? events : events.slice(0, FEW)
  return (
    <Panel title="Events">
      {trouble !== undefined && <p className="bad">Events could not be read: {trouble.message}</p>}
      {events.length === 0 && trouble === undefined && (
        <p className="quiet">
          {phase === 'loading'
            ? 'Looking …'
            : 'None within the last hour, which is how long a server usually keeps them.'}
        </p>
      )}
      {events.length > 0 && (
        <ol className="timeline">
          {shown.map(({ uid, type, reason, message, by, count, time }) => (
            <li key={uid} className={type === 'Warning' ? 'bad' : 'good'}>
              <span className="when">
                <Age time={time} />
              </span>
              <div>
                <strong>{reason}</strong>
                {count > 1 && <span className="quiet"> {count} times</span>}
                {by !== '' && <span className="quiet"> · {by}</span>}
                <div>
                  <ShortText text={message} />
                </div>
              </div>
            </li>
          ))}
        </ol>
      )}
      {events.length > FEW && (
        <button type="button" className="plain" onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `All ${events.length}`}
        </button>
      )}
    </Panel>
  )
}
