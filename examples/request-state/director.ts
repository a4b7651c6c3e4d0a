// The director: creates a request, asks for the next job whenever one is done, and ends when its own request is finished.
// It also advances requests that another director left behind.

import type { Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { type Controlled, controller } from '@homeostat/operator'
import { API_VERSION, entered, isFinished, KIND, newRequest, nextRequest } from './request-state.ts'
import { write } from './write.ts'

export interface DirectorOptions {
  /** Names the director's own request. */
  readonly uid: string
  readonly say: (line: string) => void
  readonly onFinished: () => void
}

/** Creates the request; false when it exists already, as after a restart with the same uid. */
export async function startRequest(client: Client, uid: string, namespace: string, now: number): Promise<boolean> {
  try {
    await client.resource(API_VERSION, KIND).create(newRequest(uid, namespace, now))
    return true
  } catch (error) {
    if (isStatusError(error, 'AlreadyExists')) return false
    throw error
  }
}

export function director({ uid, say, onFinished }: DirectorOptions): Controlled {
  return controller(API_VERSION, KIND, {
    async reconcile(run) {
      const { spec } = run.object
      // The uid identifies a request: an old finished one of the same name does not count.
      if (spec['request-uid'] === uid && isFinished(spec)) {
        say(`request ${uid}: finished`)
        onFinished()
        return
      }
      const next = nextRequest(spec)
      if (next && (await write(run, entered(run.object, next, run.clock.now())))) {
        say(`request ${spec['request-uid']}: job=${next.job}, state=${next.state}`)
      }
    },
  })
}
