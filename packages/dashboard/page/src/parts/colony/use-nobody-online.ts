// Why a Process waits, when it is for a missing executor: the usual reason.

import { nobodyOnline } from '@homeostat/colony/views'
import type { Executor, Process } from '@homeostat/executor/protocol'
import { useEffect, useState } from 'react'
import { client } from '../../connection/client.ts'

const EVERY_MS = 5000

export interface Waiting {
  readonly namespace: string
  readonly spec: Process['spec']
}

/** Undefined while there is an executor for it, and while nobody knows. */
export function useNobodyOnline(waiting: Waiting | undefined): string | undefined {
  const [why, setWhy] = useState<string>()
  const { namespace, spec } = waiting ?? {}
  const type = spec?.conditions?.executorType
  const funcName = spec?.funcName
  useEffect(() => {
    setWhy(undefined)
    if (namespace === undefined || type === undefined) return
    const ending = new AbortController()
    void ask({ namespace, type, funcName: funcName ?? '' }, setWhy, ending.signal)
    return () => ending.abort()
  }, [namespace, type, funcName])
  return why
}

async function ask(
  { namespace, type, funcName }: { readonly namespace: string; readonly type: string; readonly funcName: string },
  tell: (why: string | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  const executors = client.resourceOf<Executor>('colonies.io/v1', 'Executor')
  while (!signal.aborted) {
    try {
      const { items } = await executors.list({ namespace, fieldSelector: `spec.type=${type}`, signal })
      if (!signal.aborted) tell(nobodyOnline(type, items, funcName))
    } catch {
      // Who may not list executors is not told about them.
      return
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
