// The tab that edits an object: it decides whether there is something to edit here, and with what the editor begins.

import { useMemo, useRef, useState } from 'react'
import { type Kind, type ObjectName, objectPath } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { useWhyNot } from '../../../parts/use-why-not.ts'
import { yamlOf } from '../history/diff-view.tsx'
import { editable, isSecret } from '../yaml/neat.ts'
import { readDraft } from './draft.ts'
import { Editor } from './editor.tsx'

/** In a browser more is no fun; kubectl edit has no such limit. */
const MOST = 500_000

export interface EditTabProps {
  readonly kind: Kind
  readonly of: ObjectName
  readonly object: LiveObject
  readonly isGone: boolean
}

export function EditTab({ kind, of, object, isGone }: EditTabProps) {
  const [open, setOpen] = useState(!isSecret(object))
  const { group, resource, kind: noun } = kind
  const asked = useWhyNot({ verb: 'patch', group, resource, namespace: of.namespace, name: of.name })
  const mayNot = kind.verbs.includes('patch') ? asked : `The server lets nobody change a ${noun}.`
  // A new object of the name takes the place of the old one, unless somebody has written something.
  const uid = useRef(object.metadata.uid)
  const isDirty = useRef(false)
  if (!isDirty.current) uid.current = object.metadata.uid
  const key = `${objectPath(kind, of)} ${uid.current}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins with what the object is now, and stays when that changes
  const begin = useMemo(() => {
    const base = editable(object)
    return { base, text: yamlOf(base), revision: object.metadata.resourceVersion, draft: readDraft(key) }
  }, [key])
  if (mayNot !== undefined)
    return (
      <Empty title="You may not change it">
        <p>{mayNot}</p>
      </Empty>
    )
  if (!open)
    return (
      <Empty title="The values of this Secret are hidden">
        <Button onPress={() => setOpen(true)}>Show the values and edit them</Button>
      </Empty>
    )
  if (begin.text.length > MOST)
    return (
      <Banner tone="plain">
        It is {Math.round(begin.text.length / 1024)} KiB of YAML, which is too much for an editor in a browser. kubectl
        edit takes it.
      </Banner>
    )
  return (
    <Editor
      key={key}
      draftKey={isSecret(object) ? undefined : key}
      kind={kind}
      of={of}
      object={object}
      isGone={isGone || uid.current !== object.metadata.uid}
      isDirty={isDirty}
      begin={begin}
    />
  )
}
