// The Events about an object, newest first, followed by a watch.

import type { ApiObject } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { useEffect, useState } from 'react'
import { client } from '../connection/client.ts'
import { pauseBefore } from './backoff.ts'
import { Shown, useShown } from './shown.ts'

export interface ToldEvent {
  readonly uid: string
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly by: string
  readonly count: number
  readonly time: string | undefined
}

export interface EventsState {
  readonly events: readonly ToldEvent[]
  readonly phase: 'loading' | 'live'
  readonly trouble: Error | undefined
}

interface CoreEvent extends ApiObject {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null
  readonly source?: { readonly component?: string }
  readonly reportingComponent?: string
}

const LOADING: EventsState = { events: [], phase: 'loading', trouble: undefined }
const MOST = 500

/** Events of objects without a namespace are in `default`. */
export function useEvents(uid: string, namespace = 'default'): EventsState {
  const [shown, setShown] = useState(() => new Shown(LOADING))
  useEffect(() => {
    const ending = new AbortController()
    const state = new Shown(LOADING)
    setShown(state)
    void follow(uid, namespace, state, ending.signal)
    return () => ending.abort()
  }, [uid, namespace])
  return useShown(shown)
}

async function follow(uid: string, namespace: string, state: Shown<EventsState>, signal: AbortSignal): Promise<void> {
  const calls = client.resourceOf<CoreEvent>('v1', 'Event')
  const selection = { namespace, fieldSelector: `involvedObject.uid=${uid}` }
  for (let failures = 0; !signal.aborted; ) {
    try {
      const list = await calls.list({ ...selection, signal })
      const held = new Map(list.items.map((event) => [event.metadata.uid ?? '', toldEvent(event)]))
      const show = () => state.set({ events: newestFirst(held.values()), phase: 'live', trouble: undefined })
      show()
      const from = list.metadata.resourceVersion
      for await (const { type, object } of calls.watch({
        ...selection,
        ...(from && { resourceVersion: from }),
        signal,
      })) {
        failures = 0
        if (type === 'DELETED') held.delete(object.metadata.uid ?? '')
        else if (type !== 'BOOKMARK') held.set(object.metadata.uid ?? '', toldEvent(object))
        show()
      }
    } catch (error) {
      if (signal.aborted) return
      state.set({ ...state.value, phase: 'live', trouble: error as Error })
      if (isStatusError(error, 'Forbidden')) return
      await pauseBefore(++failures, signal)
    }
  }
}

export function toldEvent(event: CoreEvent): ToldEvent {
  const { metadata, series, type = 'Normal', reason = '', message = '' } = event
  return {
    uid: metadata.uid ?? '',
    type,
    reason,
    message,
    by: event.reportingComponent || event.source?.component || '',
    count: series?.count ?? event.count ?? 1,
    time: series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? metadata.creationTimestamp ?? undefined,
  }
}

function newestFirst(events: Iterable<ToldEvent>): ToldEvent[] {
  return [...events].sort((a, b) => (b.time ?? '').localeCompare(a.time ?? '')).slice(0, MOST)
}
