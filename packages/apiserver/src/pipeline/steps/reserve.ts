// The last check of a valid object before it is stored. A step that reserves something, such as a share of a quota, is
// notified how the write ended. Runs under the key's lock and never waits.

import type { Write } from '../write.ts'
import { takes } from './admit.ts'

export function reserve(write: Write): void {
  const { type, current, object, added } = write
  if (current === undefined) {
    const end = type.strategy.beforeInsert?.(object)
    if (end !== undefined) write.onEnd(end)
  }
  for (const step of added) if (step.at === 'reserve' && takes(step, write)) step.run(write)
}
