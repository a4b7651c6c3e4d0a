// Whether the person may do something, as the server says it, for buttons that say why they are disabled.

import { useEffect, useState } from 'react'
import { type Action, whyNot } from '../../connection/who.ts'

/** While the answer is awaited, the button is disabled without a reason that would flicker. */
export function useWhyNot(action: Action | undefined): string | undefined {
  const key = action === undefined ? '' : JSON.stringify(action)
  const [answer, setAnswer] = useState<{ key: string; reason: string | undefined }>({ key: '', reason: undefined })
  useEffect(() => {
    let current = true
    if (key !== '')
      void whyNot(JSON.parse(key) as Action).then((reason) => {
        if (current) setAnswer({ key, reason })
      })
    return () => {
      current = false
    }
  }, [key])
  return answer.key === key ? answer.reason : undefined
}
