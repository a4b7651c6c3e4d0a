// The server's overview, asked again every two seconds while the screen is shown. A server without it is counted kind by kind.

import { isStatusError } from '@homeostat/meta'
import { useEffect, useState } from 'react'
import { namespacesOf, onlyNamespace } from '../../app/namespaces.ts'
import { client } from '../../connection/client.ts'
import { collectionPath } from '../../kinds/kind.ts'
import { type ServedKinds, servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { joinOverviews, type OverviewAnswer, type OverviewCount } from './join-overviews.ts'

interface Result {
  readonly overview: OverviewAnswer | undefined
  readonly problem: string | undefined
}

const EVERY_MS = 2000
const PATH = '/apis/dashboard.homeostat.io/v1/overview'

export function useOverview(namespace: string | undefined): Result {
  const [result, setResult] = useState<Result>({ overview: undefined, problem: undefined })
  const kinds = useShown(servedKinds)
  useEffect(() => {
    if (kinds === undefined) return
    const ending = new AbortController()
    void follow(kinds, namespace, ending.signal, setResult)
    return () => ending.abort()
  }, [namespace, kinds])
  return result
}

async function follow(
  kinds: ServedKinds,
  namespace: string | undefined,
  signal: AbortSignal,
  show: (result: Result) => void,
): Promise<void> {
  const places = namespacesOf(namespace)
  const isNamespaced = ({ group, version, resource }: OverviewCount) =>
    kinds.find(group, version, resource)?.namespaced !== false
  while (!signal.aborted) {
    try {
      const answers = await Promise.all(places.map((place) => ask(place, signal)))
      const overview = joinOverviews(answers, isNamespaced)
      if (!signal.aborted) show({ overview, problem: undefined })
    } catch (error) {
      if (signal.aborted) return
      // Servers of others have no such path; some of them refuse it before they look.
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Forbidden'))
        return show(await counted(kinds, namespace, signal))
      show({ overview: undefined, problem: (error as Error).message })
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}

async function ask(namespace: string | undefined, signal: AbortSignal): Promise<OverviewAnswer> {
  const query = namespace === undefined ? '' : `?namespace=${encodeURIComponent(namespace)}`
  return (await client.requestJson({ method: 'GET', path: PATH + query, signal })) as OverviewAnswer
}

/** One request for each custom kind, a few at a time. */
async function counted(kinds: ServedKinds, namespace: string | undefined, signal: AbortSignal): Promise<Result> {
  const counts: OverviewCount[] = []
  const waiting = kinds.all.filter(({ group }) => group.includes('.') && !group.endsWith('.k8s.io'))
  const next = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind !== undefined && !signal.aborted; kind = waiting.shift()) {
      const path = `${collectionPath(kind, kind.namespaced ? onlyNamespace(namespace) : undefined)}?limit=1`
      try {
        const list = (await client.requestJson({ method: 'GET', path, signal })) as {
          items: unknown[]
          metadata: { remainingItemCount?: number }
        }
        const count = list.items.length + (list.metadata.remainingItemCount ?? 0)
        const { group, version, resource } = kind
        if (count > 0) counts.push({ group, version, resource, count, notReady: 0 })
      } catch {
        // A kind that may not be listed is not counted.
      }
    }
  }
  await Promise.all([next(), next(), next()])
  const problem =
    'This server has no overview: what is not ready is not shown here, and counts do not move by themselves.'
  return { overview: { counts, notReady: [], notReadyCount: 0 }, problem }
}
