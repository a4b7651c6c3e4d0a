// Runs a command inside a container and waits for its end, for probes.

import type { ExecResult } from '../runtime.ts'
import type { Engine } from './engine.ts'
import { FrameDecoder } from './log-frames.ts'

/** More output is read and dropped. */
const OUTPUT_LIMIT = 10 * 1024

export async function execIn(
  engine: Engine,
  id: string,
  command: readonly string[],
  signal: AbortSignal,
): Promise<ExecResult> {
  const body = { Cmd: command, AttachStdout: true, AttachStderr: true }
  const { Id } = await engine.call<{ Id: string }>('POST', `/containers/${id}/exec`, { body, signal })
  const stream = await engine.stream('POST', `/exec/${Id}/start`, { body: { Detach: false, Tty: false }, signal })
  const frames = new FrameDecoder()
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    for (const frame of frames.push(chunk as Buffer)) {
      if (size < OUTPUT_LIMIT) kept.push(Buffer.from(frame.subarray(0, OUTPUT_LIMIT - size)))
      size += frame.length
    }
  }
  const { ExitCode } = await engine.call<{ ExitCode?: number | null }>('GET', `/exec/${Id}/json`, { signal })
  return { exitCode: ExitCode ?? 0, output: Buffer.concat(kept).toString('utf8') }
}
