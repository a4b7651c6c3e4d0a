// Runs a command inside a container and waits for its end, for probes.

import { setTimeout as delay } from 'node:timers/promises'
import type { ExecResult } from '../runtime.ts'
import type { Engine } from './engine.ts'
import { FrameDecoder } from './log-frames.ts'

interface ExecState {
  readonly Running?: boolean
  readonly ExitCode?: number | null
}

const LOOK_AGAIN_MS = 20
/** The limit on kept output; the rest is read and dropped. */
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
  return { exitCode: await exitCode(engine, Id, signal), output: Buffer.concat(kept).toString('utf8') }
}

/** The engine ends the output a moment before it reports the exit. */
async function exitCode(engine: Engine, exec: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    const { ExitCode: code, Running } = await engine.call<ExecState>('GET', `/exec/${exec}/json`, { signal })
    if (Running !== true && typeof code === 'number') return code
    await delay(LOOK_AGAIN_MS, undefined, { signal })
  }
}
