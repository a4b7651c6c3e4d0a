// The history of an object, read anew when the object has changed. Nobody watches it: it changes with its object.

import type { ObjectHistory } from '@homeostat/meta/history'
import { useCallback, useEffect, useState } from 'react'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { readHistory } from './read-history.ts'

export type Read = { readonly history: ObjectHistory } | { readonly error: Error } | undefined

export function useHistory(kind: Kind, of: ObjectName, object: LiveObject | undefined): [Read, again: () => void] {
  const [read, setRead] = useState<Read>()
  const [count, setCount] = useState(0)
  const revision = `${object?.metadata.generation ?? object?.metadata.resourceVersion ?? 'gone'} ${count}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision stands for the object
  useEffect(() => {
    const ending = new AbortController()
    readHistory(kind, of, ending.signal).then(
      (history) => setRead({ history }),
      (error: Error) => {
        if (!ending.signal.aborted) setRead({ error })
      },
    )
    return () => ending.abort()
  }, [kind, of.namespace, of.name, revision])
  const again = useCallback(() => setCount((before) => before + 1), [])
  return [read, again]
}
