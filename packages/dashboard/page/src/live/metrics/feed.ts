// The server's metrics, read every two seconds while a screen shows them. What charts need of the last twenty minutes is kept, and
// no more, however long the page is open.

import { useEffect } from 'react'
import { client } from '../../connection/client.ts'
import { Shown, useShown } from '../shown.ts'
import { type Digest, digestOf, type Reading } from './digest.ts'
import { readSamples } from './prometheus-text.ts'

const EVERY_MS = 2000
const MOST_POINTS = 600

export interface MetricsState {
  readonly now: Reading | undefined
  readonly before: Reading | undefined
  readonly history: readonly { readonly at: number; readonly digest: Digest }[]
  /** Why there are none. */
  readonly problem: string | undefined
}

const EMPTY: MetricsState = { now: undefined, before: undefined, history: [], problem: undefined }

class MetricsFeed {
  readonly state = new Shown<MetricsState>(EMPTY)
  #readers = 0
  #ending = new AbortController()

  open(): () => void {
    if (this.#readers++ === 0) {
      this.#ending = new AbortController()
      void this.#follow(this.#ending.signal)
    }
    return () => {
      if (--this.#readers === 0) this.#ending.abort()
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const reading = { at: Date.now(), samples: await readMetrics(signal) }
        this.#add(reading)
      } catch (error) {
        if (!signal.aborted) this.state.set({ ...this.state.value, problem: (error as Error).message })
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  }

  #add(now: Reading): void {
    const { now: before, history } = this.state.value
    // A rate over the time in which nobody looked would hide what happened in it.
    const recent = before !== undefined && now.at - before.at < 5 * EVERY_MS ? before : undefined
    const point = { at: now.at, digest: digestOf(now, recent) }
    this.state.set({ now, before: recent, history: [...history, point].slice(-MOST_POINTS), problem: undefined })
  }
}

const feed = new MetricsFeed()

export function useMetrics(): MetricsState {
  useEffect(() => feed.open(), [])
  return useShown(feed.state)
}

const isWanted = (name: string) => !name.endsWith('_bucket')

async function readMetrics(signal: AbortSignal) {
  const response = await client.request({ method: 'GET', path: '/metrics', headers: { Accept: 'text/plain' }, signal })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) text += decoder.decode(chunk, { stream: true })
  return readSamples(text, isWanted)
}
