// The operators that a test runs against its own server: silent unless the test wants a log, on the test's clock, and
// closed with the server.

import { silentLog } from '@homeostat/base'
import { type Runnable, type Running, type RunOptions, run, type WebhookOptions } from '@homeostat/operator'
import { accessRecorder } from './access-recorder.ts'

export type TestRunOptions = Omit<RunOptions, 'client' | 'clock'>

export class TestOperators {
  readonly #surroundings: Required<Pick<RunOptions, 'client' | 'clock'>>
  readonly #running = new Set<Running>()
  readonly #recorded = accessRecorder()
  readonly #here: NonNullable<WebhookOptions['here']>

  /** `here` serves webhooks in the process of the server. */
  constructor(surroundings: Required<Pick<RunOptions, 'client' | 'clock'>>, here: NonNullable<WebhookOptions['here']>) {
    this.#surroundings = surroundings
    this.#here = here
  }

  get running(): readonly Running[] {
    return [...this.#running]
  }

  run(operators: Runnable | readonly Runnable[], options: TestRunOptions = {}): Running {
    const client = this.#recorded(this.#surroundings.client, [operators].flat())
    const one = run(operators, {
      log: silentLog,
      webhooks: { here: this.#here },
      ...options,
      ...this.#surroundings,
      client,
    })
    this.#running.add(one)
    const forget = () => void this.#running.delete(one)
    one.done.then(forget, forget)
    return one
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((one) => one.close()))
  }
}
