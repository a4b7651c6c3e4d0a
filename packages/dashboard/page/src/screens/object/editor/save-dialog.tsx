// What is about to change, before it does, and whose fields these are.

import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { DiffLines, yamlOf } from '../history/diff-view.tsx'
import { diffLines } from '../history/lines.ts'
import type { OwnedField } from '../summary/managers.ts'
import { type Change, managersOfPath } from './changes.ts'

export interface SaveDialogProps {
  readonly title: string
  readonly before: object
  readonly after: object
  readonly changes: readonly Change[]
  readonly owned: readonly OwnedField[]
  readonly isSending: boolean
  readonly onClose: () => void
  readonly onSave: () => void
}

const SHOWN = 8

export function SaveDialog({ title, before, after, changes, owned, isSending, onClose, onSave }: SaveDialogProps) {
  const applied = owned.filter((field) => field.applied)
  const others = changes.flatMap(({ path }) =>
    managersOfPath(path, applied).map((manager) => ({ field: path.join('.'), manager })),
  )
  return (
    <Dialog
      wide
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Go on editing</Button>
          <Button look="main" onPress={onSave} whyNot={isSending ? 'It is being saved …' : undefined}>
            Save
          </Button>
        </>
      }
    >
      {others.length > 0 && (
        <Banner tone="busy">
          <div>
            {others.slice(0, SHOWN).map(({ field, manager }) => (
              <div key={`${field} ${manager}`}>
                <code>{field}</code> is applied by <strong>{manager}</strong>, which may set it back.
              </div>
            ))}
            {others.length > SHOWN && <div>and {others.length - SHOWN} more</div>}
          </div>
        </Banner>
      )}
      <DiffLines lines={diffLines(yamlOf(before), yamlOf(after))} label="What changes" />
    </Dialog>
  )
}
