// Reads the log of a container as somebody asked for it. What is printed is made by the printer that all drivers share.

import type { IncomingMessage } from 'node:http'
import { LogPrinter } from '../log/log-printer.ts'
import type { LogOptions } from '../runtime.ts'
import type { Engine } from './engine.ts'
import { FrameDecoder, frameRecord } from './log-frames.ts'

/** The engine closes a log a moment before it knows of the end. */
const END_MS = 5000

export async function* containerLog(
  engine: Engine,
  id: string,
  options: LogOptions & { readonly signal: AbortSignal },
): AsyncIterable<Uint8Array> {
  const { follow = false, tailLines, since, signal } = options
  const query = {
    stdout: 1,
    stderr: 1,
    timestamps: 1,
    follow: follow ? 1 : 0,
    tail: tailLines ?? 'all',
    since: since === undefined ? undefined : (since / 1000).toFixed(3),
  }
  let stream: IncomingMessage | undefined
  try {
    stream = await engine.stream('GET', `/containers/${id}/logs`, { query, signal })
    const frames = new FrameDecoder()
    const printer = new LogPrinter(options)
    for await (const chunk of stream) {
      const bytes = Buffer.concat(frames.push(chunk as Buffer).map((frame) => printer.print(frameRecord(frame))))
      if (bytes.length > 0) yield bytes
      if (printer.full) return
    }
    if (follow) await ended(engine, id, signal)
  } catch (error) {
    // The reader went, or the driver: that is no failure.
    if (!signal.aborted) throw error
  } finally {
    stream?.destroy()
  }
}

async function ended(engine: Engine, id: string, signal: AbortSignal): Promise<void> {
  try {
    await engine.call('POST', `/containers/${id}/wait`, { signal, timeoutMs: END_MS })
  } catch {
    // It may be removed by now, and whoever asks next will see.
  }
}
