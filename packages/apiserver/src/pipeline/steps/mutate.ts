// Runs the mutating steps that extensions add.

import type { Step, Write } from '../write.ts'
import { runAdded } from './admit.ts'
import { applyDefaults } from './apply-defaults.ts'

/** `track` computes managed fields; it runs again when a mutating step changed the object. */
export function mutate(track: Step): Step {
  return (write) => (write.added.length === 0 ? undefined : runMutations(write, track))
}

async function runMutations(write: Write, track: Step): Promise<void> {
  const found = write.object
  await runAdded(write, 'mutate')
  if (write.isReinvoked) {
    write.round = 1
    await runAdded(write, 'mutate')
  }
  if (write.object === found) return
  write.type.strategy.prune(write.object)
  applyDefaults(write)
  await track(write)
}
