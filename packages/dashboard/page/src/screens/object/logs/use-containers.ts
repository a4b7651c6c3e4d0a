// The containers of a Pod that the page knows by name, asked for once: a log is that of one container.

import { useEffect, useState } from 'react'
import { client } from '../../../connection/client.ts'
import type { LiveObject } from '../../../live/object.ts'
import { containersOf, type LogSource } from './log-sources.ts'

const NONE: readonly string[] = []

/** Undefined while they are awaited. Empty for what has no choice; then, and when nobody may say, the server decides. */
export function useContainers({ pod }: LogSource): readonly string[] | undefined {
  const key = pod === undefined ? '' : `${pod.namespace}/${pod.name}`
  const [found, setFound] = useState<{ readonly key: string; readonly containers: readonly string[] }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the Pod
  useEffect(() => {
    if (pod === undefined) return
    const ending = new AbortController()
    const target = { name: pod.name, ...(pod.namespace !== undefined && { namespace: pod.namespace }) }
    client
      .resourceOf<LiveObject>('v1', 'Pod')
      .find(target, { signal: ending.signal })
      .then((object) => (object === undefined ? NONE : containersOf(object)))
      .catch(() => NONE)
      .then((containers) => {
        if (!ending.signal.aborted) setFound({ key, containers })
      })
    return () => ending.abort()
  }, [key])
  if (pod === undefined) return NONE
  return found?.key === key ? found.containers : undefined
}
