// The worker: claims a requested job, runs it, and marks it as done. Any number of workers may run: a job belongs to the
// worker whose claim was written first; another takes over when that claim is no longer renewed.

import { type Controlled, controller, type ReconcileContext } from '@homeostat/operator'
import { claimed, claimOf, isHeldByOther } from './claim.ts'
import { API_VERSION, entered, KIND, type RequestState } from './request-state.ts'
import { write } from './write.ts'

export interface WorkerOptions {
  readonly identity: string
  readonly say: (line: string) => void
  /** Runs a job. Called again for the same job after its worker has died. */
  readonly work: (job: string, signal: AbortSignal) => Promise<void>
  /** The age at which a claim is stale and another worker takes over. Default 15 s. */
  readonly claimMs?: number
}

export function worker({ identity, say, work, claimMs = 15_000 }: WorkerOptions): Controlled {
  return controller(API_VERSION, KIND, {
    async reconcile(run) {
      const request = run.object
      const { job, state, 'request-uid': uid } = request.spec
      if (state !== 'REQUESTED' && state !== 'STARTED') return
      const now = run.clock.now()
      const holder = claimOf(request)
      if (state === 'STARTED' && isHeldByOther(holder, identity, now))
        return { requeueAfter: { milliseconds: Math.max(100, holder.until - now + 1) } }
      const started = state === 'STARTED' ? request : entered(request, { job, state: 'STARTED' }, now)
      const mine = await write(run, claimed(started, { worker: identity, until: now + claimMs }))
      // Another worker was faster; its write triggers the next reconcile.
      if (!mine) return
      say(`request ${uid}: job=${job}, state=STARTED${state === 'STARTED' ? ' (taken over)' : ''}`)
      const done = await whileClaimed(run, mine, { identity, claimMs }, (signal) => work(job, signal))
      const completed = entered(done, { job, state: 'COMPLETED' }, run.clock.now())
      if (await write(run, claimed(completed, undefined))) say(`request ${uid}: job=${job}, state=COMPLETED`)
    },
    // A job has no time limit.
    timeout: '24h',
  })
}

/** Runs the job and renews the claim meanwhile. Returns the request as last written; throws when the claim is lost. */
async function whileClaimed(
  run: ReconcileContext,
  request: RequestState,
  { identity, claimMs }: { readonly identity: string; readonly claimMs: number },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<RequestState> {
  const lost = new AbortController()
  let newest = request
  let renewing = Promise.resolve()
  let cancel = () => {}
  const renew = async () => {
    const until = run.clock.now() + claimMs
    const written = await write(run, claimed(newest, { worker: identity, until })).catch(() => undefined)
    if (written) newest = written
    else lost.abort(new Error('another worker has taken the job over'))
  }
  const renewLater = () => {
    cancel = run.clock.setTimer(claimMs / 3, () => {
      renewing = renew().then(renewLater)
    })
  }
  renewLater()
  try {
    await work(AbortSignal.any([run.signal, lost.signal]))
  } finally {
    cancel()
    await renewing
    cancel()
  }
  lost.signal.throwIfAborted()
  return newest
}
