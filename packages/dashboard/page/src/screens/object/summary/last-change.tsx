// Who changed the object last, and the way back: what people come for when something has broken.

import type { HistoryEntry } from '@homeostat/meta/history'
import { useState } from 'react'
import type { Kind } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Age } from '../../../parts/age.tsx'
import { Button } from '../../../parts/button.tsx'
import { useWhyNot } from '../../../parts/use-why-not.ts'
import { RestoreDialog } from '../history/restore-dialog.tsx'
import { useHistory } from '../history/use-history.ts'

export function LastChange({ kind, object }: { readonly kind: Kind; readonly object: LiveObject }) {
  const { namespace, name, uid } = object.metadata
  const of = { namespace, name }
  const [read, again] = useHistory(kind, of, object)
  const [asked, setAsked] = useState<HistoryEntry>()
  const [said, setSaid] = useState<string>()
  const mayNot = useWhyNot({ verb: 'update', group: kind.group, resource: kind.resource, namespace, name })
  if (read === undefined || 'error' in read) return null
  const entries = read.history.lives.find((life) => life.uid === uid)?.entries ?? []
  const last = entries.at(-1)
  const before = entries.at(-2)
  if (last === undefined) return null
  const whyNot = before === undefined ? 'It has not changed since it was created.' : mayNot
  return (
    <div className="last-change">
      <span>
        {last.change === 'created' ? 'Created by ' : 'Last changed by '}
        <strong>{last.user ?? 'somebody'}</strong>
        {last.manager !== undefined && ` with ${last.manager}`}, <Age time={last.time} ago />
      </span>
      <Button
        onPress={() => before !== undefined && setAsked(before)}
        whyNot={
          before !== undefined && before.object === undefined ? 'What it was before is not kept any more.' : whyNot
        }
      >
        Undo …
      </Button>
      {said !== undefined && (
        <span role="status" className="good">
          {said}
        </span>
      )}
      {asked !== undefined && (
        <RestoreDialog
          kind={kind}
          of={of}
          object={object}
          entry={asked}
          onClose={() => setAsked(undefined)}
          onDone={(done) => {
            setSaid(done)
            setAsked(undefined)
            again()
          }}
        />
      )}
    </div>
  )
}
