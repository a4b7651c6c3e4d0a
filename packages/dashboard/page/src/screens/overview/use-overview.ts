// The server's overview, asked again every two seconds while the screen is shown. A server without it is counted kind by kind, every half
// minute.

import { isStatusError } from '@homeostat/meta'
import { useEffect, useState } from 'react'
import { namespacesOf } from '../../app/namespaces.ts'
import { client } from '../../connection/client.ts'
import { collectionPath, type Kind } from '../../kinds/kind.ts'
import { type ServedKinds, servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { joinOverviews, type OverviewAnswer, type OverviewCount } from './join-overviews.ts'

interface Result {
  readonly overview: OverviewAnswer | undefined
  readonly problem: string | undefined
  /** Whether the server tells what is not ready. */
  readonly isGathered: boolean
}

const EVERY_MS = 2000
const COUNT_EVERY_MS = 30_000
const PATH = '/apis/dashboard.homeostat.io/v1/overview'

export function useOverview(namespace: string | undefined): Result {
  const [result, setResult] = useState<Result>({ overview: undefined, problem: undefined, isGathered: true })
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
  let isCounted = false
  while (!signal.aborted) {
    try {
      if (isCounted) {
        const result = await counted(kinds, places, signal)
        if (signal.aborted) return
        show(result)
        await pause(COUNT_EVERY_MS)
        continue
      }
      const answers = await Promise.all(places.map((place) => ask(place, signal)))
      const overview = joinOverviews(answers, isNamespaced)
      if (!signal.aborted) show({ overview, problem: undefined, isGathered: true })
    } catch (error) {
      if (signal.aborted) return
      // Servers of others have no such path; some of them refuse it before they look.
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Forbidden')) isCounted = true
      else {
        show({ overview: undefined, problem: (error as Error).message, isGathered: true })
        await pause(EVERY_MS)
      }
      continue
    }
    await pause(EVERY_MS)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function ask(namespace: string | undefined, signal: AbortSignal): Promise<OverviewAnswer> {
  const query = namespace === undefined ? '' : `?namespace=${encodeURIComponent(namespace)}`
  return (await client.requestJson({ method: 'GET', path: PATH + query, signal })) as OverviewAnswer
}

/** One request for each custom kind and namespace, a few at a time. */
async function counted(
  kinds: ServedKinds,
  places: readonly (string | undefined)[],
  signal: AbortSignal,
): Promise<Result> {
  const counts: OverviewCount[] = []
  const waiting = kinds.all.filter(({ group }) => group.includes('.') && !group.endsWith('.k8s.io'))
  const next = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind !== undefined && !signal.aborted; kind = waiting.shift()) {
      let count = 0
      for (const place of kind.namespaced ? places : [undefined]) count += await countOf(kind, place, signal)
      const { group, version, resource } = kind
      if (count > 0) counts.push({ group, version, resource, count, notReady: 0 })
    }
  }
  await Promise.all([next(), next(), next()])
  counts.sort((a, b) => a.group.localeCompare(b.group) || a.resource.localeCompare(b.resource))
  const problem =
    'This server has no overview: what is not ready is not gathered here, the table of a kind shows it. Objects are counted every half minute.'
  return { overview: { counts, notReady: [], notReadyCount: 0 }, problem, isGathered: false }
}

/** A kind that may not be listed is not counted. */
async function countOf(kind: Kind, namespace: string | undefined, signal: AbortSignal): Promise<number> {
  try {
    const path = `${collectionPath(kind, namespace)}?limit=1`
    const list = (await client.requestJson({ method: 'GET', path, signal })) as {
      items: unknown[]
      metadata: { remainingItemCount?: number }
    }
    return list.items.length + (list.metadata.remainingItemCount ?? 0)
  } catch {
    return 0
  }
}
