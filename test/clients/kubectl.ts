// Every kubectl at hand as a client of the matrix. kubectl.test.ts has what it prints; here it is the same few steps
// that all clients take.

import { join } from 'node:path'
import { needKubectls } from '../tools.ts'
import { type Program, STEPS } from './programs.ts'

export function kubectls(): Program[] {
  return needKubectls().map(({ path, version, missing }) => ({
    name: `kubectl ${version}`,
    columns: STEPS,
    steps: STEPS.filter((step) => step !== 'election'),
    ...(missing !== undefined && { missing }),
    prepare: async () => ['bash', join(import.meta.dirname, 'kubectl.sh'), path ?? 'kubectl'],
  }))
}
