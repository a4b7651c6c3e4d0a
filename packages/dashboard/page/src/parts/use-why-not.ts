// Why one may not do something, for the buttons that would: by the server's rules, or since the page is read-only.

import { useEffect, useState } from 'react'
import { READ_ONLY, readOnly } from '../connection/read-only.ts'
import { type Action, whyNot } from '../connection/who.ts'
import { useShown } from '../live/shown.ts'

/** Undefined when one may, and while nobody has answered yet: the server refuses in the end. */
export function useWhyNot(action: Action | undefined): string | undefined {
  const locked = useShown(readOnly)
  const [answer, setAnswer] = useState<{ readonly key: string; readonly reason: string | undefined }>()
  const key = action === undefined ? '' : JSON.stringify(action)
  useEffect(() => {
    if (key === '') return
    let current = true
    void whyNot(JSON.parse(key) as Action).then((reason) => {
      if (current) setAnswer({ key, reason })
    })
    return () => {
      current = false
    }
  }, [key])
  if (locked) return READ_ONLY
  return answer?.key === key ? answer.reason : undefined
}
