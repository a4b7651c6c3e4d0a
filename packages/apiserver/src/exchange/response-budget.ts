// The budget of bytes for large responses in flight, shared by all clients. Each ResponseFlow takes a part of it.

import type { Clock, Metric } from '@homeostat/base'
import { WaitingBudget } from './waiting-budget.ts'

/** One response takes at most 4 MiB of it. */
export const RESPONSE_BYTES = 64 << 20

export class ResponseBudget extends WaitingBudget implements Metric {
  readonly clock: Clock

  constructor(clock: Clock) {
    super({
      total: RESPONSE_BYTES,
      maxWaiting: 10_000,
      maxWaitMs: 60_000,
      message: 'too many large answers are on their way, please try again later',
      clock,
    })
    this.clock = clock
  }

  render(): string {
    return (
      '# HELP homeostat_answer_bytes Bytes set aside for large answers that are on their way.\n' +
      '# TYPE homeostat_answer_bytes gauge\n' +
      `homeostat_answer_bytes ${this.used}\n` +
      '# HELP homeostat_answers_waiting Large answers that wait for such bytes.\n' +
      '# TYPE homeostat_answers_waiting gauge\n' +
      `homeostat_answers_waiting ${this.waiting}\n`
    )
  }
}
