// Asks before an object goes back to what it was, or is made again, and shows what that changes. What fails is said in place.

import { type HistoryEntry, labelOf } from '@homeostat/meta/history'
import { useState } from 'react'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import { servedKinds } from '../../../kinds/served-kinds.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { DiffView } from './diff-view.tsx'
import { rollBack, undelete } from './restore.ts'

export interface RestoreDialogProps {
  readonly kind: Kind
  readonly of: ObjectName
  /** As it is; undefined when it is gone and is made again. */
  readonly object: LiveObject | undefined
  readonly entry: HistoryEntry
  readonly onClose: () => void
  /** With what came of it, as a sentence. */
  readonly onDone: (said: string) => void
}

export function RestoreDialog({ kind, of, object, entry, onClose, onDone }: RestoreDialogProps) {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isGone = object === undefined

  async function restore() {
    setBusy(true)
    try {
      const kinds = servedKinds.value
      onDone(await (isGone && kinds !== undefined ? undelete(kinds, kind, of, entry) : rollBack(kind, of, entry)))
    } catch (error) {
      setProblem((error as Error).message)
      setBusy(false)
    }
  }

  return (
    <Dialog
      wide
      title={isGone ? `Make ${of.name} again?` : `Roll ${of.name} back to ${labelOf(entry)}?`}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="main" onPress={() => void restore()} whyNot={busy ? 'It is being done …' : undefined}>
            {isGone ? 'Undelete' : 'Roll back'}
          </Button>
        </>
      }
    >
      <p className="quiet">
        {isGone
          ? 'A new object like the deleted one is created, without its status and finalizers.'
          : 'This is an ordinary update, checked like any other: it makes a new generation and overwrites nobody who is faster.'}
      </p>
      {problem !== undefined && <Banner>Nothing was changed: {problem}</Banner>}
      {object !== undefined && entry.object !== undefined && (
        <DiffView before={object} after={entry.object} label="What the rollback changes" />
      )}
    </Dialog>
  )
}
