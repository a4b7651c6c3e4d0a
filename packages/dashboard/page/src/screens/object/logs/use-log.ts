// The lines of a log as they arrive, in a buffer with bounds. A log that breaks off is read again from its end.

import { isStatusError } from '@homeostat/meta'
import { useEffect, useState } from 'react'
import { client } from '../../../connection/client.ts'
import { pauseBefore } from '../../../live/backoff.ts'
import { Shown, useShown } from '../../../live/shown.ts'
import { LineBuffer, type LogLine } from './line-buffer.ts'
import type { LogSource } from './log-sources.ts'

export interface LogState {
  readonly lines: readonly LogLine[]
  readonly dropped: number
  readonly phase: 'loading' | 'live' | 'ended'
  readonly problem: string | undefined
}

export interface LogOptions {
  readonly timestamps: boolean
  /** Of the container before this one. */
  readonly previous: boolean
}

const LOADING: LogState = { lines: [], dropped: 0, phase: 'loading', problem: undefined }
/** Where reading begins; older lines stay on the server. */
const TAIL = 20_000

export function useLog({ path, container }: LogSource, { timestamps, previous }: LogOptions): LogState {
  const [shown, setShown] = useState(() => new Shown(LOADING))
  useEffect(() => {
    const ending = new AbortController()
    const state = new Shown(LOADING)
    setShown(state)
    const query = new URLSearchParams({ tailLines: String(TAIL), follow: String(!previous) })
    if (container !== undefined) query.set('container', container)
    if (timestamps) query.set('timestamps', 'true')
    if (previous) query.set('previous', 'true')
    void follow(`${path}?${query}`, state, ending.signal)
    return () => ending.abort()
  }, [path, container, timestamps, previous])
  return useShown(shown)
}

async function follow(path: string, state: Shown<LogState>, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    const buffer = new LineBuffer()
    const show = (phase: LogState['phase']) =>
      state.set({ lines: buffer.lines(), dropped: buffer.dropped, phase, problem: undefined })
    try {
      const { body } = await client.request({ method: 'GET', path, signal })
      show('live')
      const decoder = new TextDecoder()
      let scheduled = false
      let ended = false
      for await (const chunk of body) {
        failures = 0
        buffer.add(decoder.decode(chunk, { stream: true }))
        if (scheduled) continue
        scheduled = true
        // Once per frame: the array of lines is made anew each time.
        requestAnimationFrame(() => {
          scheduled = false
          if (!signal.aborted && !ended) show('live')
        })
      }
      ended = true
      buffer.end()
      return show('ended')
    } catch (error) {
      if (signal.aborted) return
      state.set({ ...state.value, phase: 'ended', problem: (error as Error).message })
      // What the server refuses, it refuses again; but a container that has not started yet will.
      if (isStatusError(error) && !isStatusError(error, 'BadRequest')) return
      await pauseBefore(++failures, signal)
    }
  }
}
