// Lets a behaviour work for its time and no longer: its signal ends first, and when it does not listen the run is over
// without it.

import type { Clock } from '@homeostat/base'
import { type Ended, endedBy } from './run-end.ts'

interface Timed {
  /** Of the run's signal. */
  readonly abort: AbortController
  /** Ends the run, too. */
  readonly outer: AbortSignal
  readonly timeout: number
  readonly clock: Clock
}

/** For how long a behaviour may go on after its signal ended. */
const GRACE_MS = 5000

/** `work` never rejects. Neither does this. */
export async function withinTime({ abort, outer, timeout, clock }: Timed, work: () => Promise<Ended>): Promise<Ended> {
  const onOuter = () => abort.abort(outer.reason)
  if (outer.aborted) onOuter()
  else outer.addEventListener('abort', onOuter, { once: true })
  const cancelTimeout = clock.setTimer(timeout, () => {
    abort.abort(new Error(`the run took longer than its timeout of ${timeout} ms`))
  })
  let cancelGrace = () => {}
  const over = new Promise<'over'>((resolve) => {
    abort.signal.addEventListener('abort', () => {
      cancelGrace = clock.setTimer(GRACE_MS, () => resolve('over'))
    })
  })
  const working = work()
  const first = await Promise.race([working, over])
  outer.removeEventListener('abort', onOuter)
  cancelTimeout()
  cancelGrace()
  const stuck = first === 'over' ? working.then(() => undefined) : undefined
  if (outer.aborted) return { result: 'aborted', error: outer.reason, stuck }
  if (abort.signal.aborted || first === 'over') return { ...endedBy(abort.signal.reason), stuck }
  return first
}
