// Reads the log of a container, with the options and the printer that all drivers share.

import { LogPrinter } from '../log/log-printer.ts'
import type { LogOptions } from '../runtime.ts'
import type { CallOptions, Engine } from './engine.ts'
import { FrameDecoder, frameRecord } from './log-frames.ts'
import { RecentFrames } from './recent-frames.ts'

/** The engine closes a log a moment before it reports the exit. */
const END_MS = 5000

export async function* containerLog(
  engine: Engine,
  id: string,
  options: LogOptions & { readonly signal: AbortSignal },
): AsyncIterable<Uint8Array> {
  const { follow = false, tailLines, since, signal } = options
  const printer = new LogPrinter(options)
  const recent = new RecentFrames(Date.now())
  const read = (query: NonNullable<CallOptions['query']>) => frames(engine, `/containers/${id}/logs`, { query, signal })
  try {
    const query = { tail: tailLines ?? 'all', since: since === undefined ? undefined : (since / 1000).toFixed(3) }
    for await (const some of read({ ...query, follow: follow ? 1 : 0 })) {
      if (follow) for (const frame of some) recent.add(frame)
      const bytes = printed(printer, some)
      if (bytes.length > 0) yield bytes
      if (printer.full) return
    }
    if (!follow) return
    await ended(engine, id, signal)
    // Engines may lose the last lines of a followed log when the container exits.
    for await (const some of read({ since: recent.since, tail: 'all' })) {
      const bytes = printed(printer, recent.unseen(some))
      if (bytes.length > 0) yield bytes
      if (printer.full) return
    }
  } catch (error) {
    // The reader or the driver has closed: no failure.
    if (!signal.aborted) throw error
  }
}

function printed(printer: LogPrinter, some: readonly Buffer[]): Buffer {
  return Buffer.concat(some.map((frame) => printer.print(frameRecord(frame))))
}

async function* frames(engine: Engine, path: string, options: CallOptions): AsyncIterable<Buffer[]> {
  const query = { ...options.query, stdout: 1, stderr: 1, timestamps: 1 }
  const stream = await engine.stream('GET', path, { ...options, query })
  const decoder = new FrameDecoder()
  try {
    for await (const chunk of stream) yield decoder.push(chunk as Buffer)
  } finally {
    stream.destroy()
  }
}

async function ended(engine: Engine, id: string, signal: AbortSignal): Promise<void> {
  try {
    await engine.call('POST', `/containers/${id}/wait`, { signal, timeoutMs: END_MS })
  } catch {
    // The container may be removed by now; the next call reports that.
  }
}
