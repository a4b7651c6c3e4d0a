// Runs the validating steps that extensions add, such as policies. They see the object as it will be stored.

import type { Write } from '../write.ts'

export function admit(write: Write): undefined | Promise<void> {
  return write.added.length === 0 ? undefined : runAdmission(write)
}

async function runAdmission(write: Write): Promise<void> {
  for (const step of write.added) if (step.at === 'admit') await step.run(write)
}
