// Runs the command to its end, as a person would.

import { once } from 'node:events'
import { spawnHomeostat } from './server-process.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export async function homeostat(...args: readonly string[]): Promise<Outcome> {
  const child = spawnHomeostat(args)
  const printed = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    printed.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    printed.stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, ...printed }
}
