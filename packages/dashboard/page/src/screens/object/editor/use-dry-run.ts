// Asks the server, a moment after the last key, what it would make of the text. A question that is overtaken is cancelled.

import { isStatusError } from '@homeostat/meta'
import { useEffect, useState } from 'react'

const PAUSE_MS = 500

export interface Refusal {
  readonly message: string
  readonly causes: readonly { readonly field: string; readonly message: string }[]
}

export type DryRun =
  | { readonly state: 'idle' | 'asking' | 'accepted' }
  | { readonly state: 'refused'; readonly refusal: Refusal }

/** `key` stands for what is asked; undefined when there is nothing to ask. */
export function useDryRun(key: string | undefined, ask: (signal: AbortSignal) => Promise<unknown>): DryRun {
  const [answer, setAnswer] = useState<{ key: string | undefined; run: DryRun }>({ key: undefined, run: IDLE })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the question
  useEffect(() => {
    if (key === undefined) return
    const ending = new AbortController()
    const timer = setTimeout(() => {
      ask(ending.signal).then(
        () => setAnswer({ key, run: { state: 'accepted' } }),
        (error: Error) => {
          if (!ending.signal.aborted) setAnswer({ key, run: { state: 'refused', refusal: refusalOf(error) } })
        },
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [key])
  if (key === undefined) return IDLE
  return answer.key === key ? answer.run : { state: 'asking' }
}

const IDLE: DryRun = { state: 'idle' }

export function refusalOf(error: Error): Refusal {
  const causes = isStatusError(error) ? (error.status.details?.causes ?? []) : []
  return {
    message: error.message,
    causes: causes.flatMap(({ field, message }) =>
      field === undefined ? [] : [{ field, message: message ?? error.message }],
    ),
  }
}
