// The object as YAML: neat, which leaves out what only machines read, or whole.

import { useMemo, useState } from 'react'
import { stringify } from 'yaml'
import type { LiveObject } from '../../live/object.ts'

export function Yaml({ object }: { readonly object: LiveObject }) {
  const [whole, setWhole] = useState(false)
  const text = useMemo(() => stringify(whole ? object : neat(object), { lineWidth: 0 }), [object, whole])
  return (
    <>
      <label>
        <input type="checkbox" checked={whole} onChange={(event) => setWhole(event.target.checked)} /> everything
      </label>
      <pre className="yaml">{text}</pre>
    </>
  )
}

/** Without managed fields, and without what the last apply of kubectl left. */
export function neat(object: LiveObject): object {
  const { managedFields: _, annotations, ...metadata } = object.metadata
  const { 'kubectl.kubernetes.io/last-applied-configuration': __, ...kept } = annotations ?? {}
  return { ...object, metadata: { ...metadata, ...(Object.keys(kept).length > 0 && { annotations: kept }) } }
}
