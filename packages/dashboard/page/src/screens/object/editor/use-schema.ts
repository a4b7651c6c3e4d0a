// The schema of a kind, once it has arrived. An editor works without.

import { useEffect, useState } from 'react'
import type { Kind } from '../../../kinds/kind.ts'
import { schemaOf } from '../../../kinds/openapi.ts'
import type { KindSchema } from '../../../kinds/schema.ts'

export interface FoundSchema {
  /** Undefined while it is awaited, and when the server publishes none. */
  readonly schema: KindSchema | undefined
  /** Whether the server has answered. */
  readonly isKnown: boolean
}

export function useSchema(kind: Kind): FoundSchema {
  const [found, setFound] = useState<FoundSchema>({ schema: undefined, isKnown: false })
  useEffect(() => {
    let current = true
    void schemaOf(kind).then((schema) => {
      if (current) setFound({ schema, isKnown: true })
    })
    return () => {
      current = false
    }
  }, [kind])
  return found
}
