// The place of steps that change what a client sent. Without such a step nothing happens here.

import type { Step, Write } from '../write.ts'
import { applyDefaults } from './apply-defaults.ts'

/** `track` says who owns the fields, and says so again when one of the steps changed something. */
export function mutate(track: Step): Step {
  return (write) => (write.added.length === 0 ? undefined : runMutations(write, track))
}

async function runMutations(write: Write, track: Step): Promise<void> {
  const found = write.object
  for (const step of write.added) if (step.at === 'mutate') await step.run(write)
  if (write.object === found) return
  write.type.strategy.prune(write.object)
  applyDefaults(write)
  await track(write)
}
