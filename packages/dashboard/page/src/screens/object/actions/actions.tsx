// What one can do with an object, behind its name. A button that cannot be used says why.

import { useState } from 'react'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Button } from '../../../parts/button.tsx'
import { useWhyNot } from '../../../parts/use-why-not.ts'
import { CopyAs } from './copy-as.tsx'
import { Delete } from './delete.tsx'
import { Scale } from './scale.tsx'

export interface ActionsProps {
  readonly kind: Kind
  readonly of: ObjectName
  readonly object: LiveObject
  readonly isGone: boolean
}

export function Actions({ kind, of, object, isGone }: ActionsProps) {
  const [open, setOpen] = useState<'copy' | 'delete' | 'scale'>()
  const { group, resource } = kind
  const on = { group, resource, name: of.name, ...(of.namespace && { namespace: of.namespace }) }
  const gone = isGone ? 'It was deleted.' : undefined
  const close = () => setOpen(undefined)
  const mayDelete = useWhyNot({ verb: 'delete', ...on })
  const mayScale = useWhyNot(
    kind.subresources.includes('scale') ? { verb: 'patch', subresource: 'scale', ...on } : undefined,
  )
  const leaving = object.metadata.deletionTimestamp === undefined ? undefined : 'It is being deleted already.'
  return (
    <div className="toolbar object-actions">
      {kind.subresources.includes('scale') && (
        <Button onPress={() => setOpen('scale')} whyNot={gone ?? mayScale}>
          Scale
        </Button>
      )}
      <Button onPress={() => setOpen('copy')}>Copy as …</Button>
      <Button
        look="danger"
        onPress={() => setOpen('delete')}
        whyNot={gone ?? leaving ?? unsupported(kind, 'delete') ?? mayDelete}
      >
        Delete
      </Button>
      {open === 'copy' && <CopyAs kind={kind} of={of} object={object} onClose={close} />}
      {open === 'delete' && <Delete kind={kind} of={of} object={object} onClose={close} />}
      {open === 'scale' && <Scale kind={kind} of={of} onClose={close} />}
    </div>
  )
}

function unsupported({ kind, verbs }: Kind, verb: string): string | undefined {
  return verbs.includes(verb) ? undefined : `The server does not let anybody ${verb} a ${kind}.`
}
