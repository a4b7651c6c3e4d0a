// Runs `homeostat` as a user does, in a process of its own.

import { text } from 'node:stream/consumers'
import { spawnHomeostat } from '../server-process.ts'

export async function runCommand(
  words: readonly string[],
): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawnHomeostat(words)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, error, code] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    ended,
  ])
  return { code, out, error }
}
