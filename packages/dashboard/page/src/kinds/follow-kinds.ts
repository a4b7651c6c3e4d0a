// Asks for the served kinds again when definitions come, go or change, and when a server comes back, which may be another version. Who may
// not watch definitions gets new kinds a little later.

import { client } from '../connection/client.ts'
import { reach } from '../connection/reachable.ts'
import { whyNot } from '../connection/who.ts'
import { pauseBefore } from '../live/backoff.ts'
import { loadKinds } from './served-kinds.ts'

const DEFINITION = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }
const WATCH = { verb: 'watch', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json'
/** A definition is served a moment after it is there; its changes come in several events. */
const SOON_MS = 300
/** Some servers tell of it later. */
const LATER_MS = 3000
const POLL_MS = 30_000

/** Until the returned function is called. Call it once the kinds are loaded. */
export function followKinds(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const askIn = (ms: number) => {
    clearTimeout(timers.get(ms))
    timers.set(
      ms,
      // A failure shows with the next request of a screen; the kinds that were known stay.
      setTimeout(() => void loadKinds().catch(() => {}), ms),
    )
  }
  const ask = () => {
    askIn(SOON_MS)
    askIn(LATER_MS)
  }
  let { lostSince } = reach.value
  const forget = reach.subscribe(() => {
    if (lostSince !== undefined && reach.value.lostSince === undefined) ask()
    lostSince = reach.value.lostSince
  })
  void follow(ask, () => askIn(SOON_MS), signal)
  return () => {
    ending.abort()
    forget()
    for (const timer of timers.values()) clearTimeout(timer)
  }
}

async function follow(changed: () => void, poll: () => void, signal: AbortSignal): Promise<void> {
  const definitions = client.resourceOf(DEFINITION.apiVersion, DEFINITION.kind)
  const mayWatch = (await whyNot(WATCH)) === undefined
  let isFirst = true
  for (let failures = 0; !signal.aborted; ) {
    if (!mayWatch) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      if (!signal.aborted && !document.hidden) poll()
      continue
    }
    try {
      const { metadata } = await definitions.list({ limit: 1, signal })
      // What changed while nobody watched.
      if (!isFirst) changed()
      isFirst = false
      const resourceVersion = metadata.resourceVersion ?? ''
      for await (const { type } of definitions.watch({ resourceVersion, accept: METADATA, signal })) {
        failures = 0
        if (type !== 'BOOKMARK') changed()
      }
    } catch {
      if (!signal.aborted) await pauseBefore(++failures, signal)
    }
  }
}
