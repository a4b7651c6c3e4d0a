// Reads and writes YAML. The library is loaded on first use. Reading follows YAML 1.1 as kubectl does (`yes` is a
// boolean), never executes tags, and bounds aliases.

import { Worker } from 'node:worker_threads'
import { yieldToLoop } from '@homeostat/base'
import { badRequest, type JsonValue, writeJson } from '@homeostat/meta'
import { type JsonRead, tooManyRequests } from '@homeostat/meta/server'
import { parseYaml } from './yaml-reader.ts'

/** The parser's worst case is quadratic, so only small documents are read on this thread. */
const INLINE_CHARS = 8 << 10
const WORKER_MS = 5000
/** Each worker may use much memory; further documents wait in a queue, and each may take five seconds. */
const MAX_WORKERS = 2
const MAX_WAITING = 32

export async function writeYaml(value: unknown): Promise<Buffer> {
  return Buffer.from((await yamlWriter())(value))
}

export async function yamlWriter(): Promise<(value: unknown) => string> {
  // A large package that only requests for YAML need.
  const { stringify } = await import('yaml')
  return (value) => stringify(plain(value), { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 })
}

/** Converts values for the YAML writer; integers that a number cannot hold stay bigint. */
function plain(value: unknown): unknown {
  return JSON.parse(writeJson(value), (_key, item: unknown, context?: { source?: string }) =>
    typeof item === 'number' &&
    !Number.isSafeInteger(item) &&
    context?.source !== undefined &&
    /^-?\d+$/.test(context.source)
      ? BigInt(context.source)
      : item,
  )
}

/**
 * Reads small documents on this thread, and large ones in a worker that is terminated when it takes too long. The error of
 * a confidential document says only where it is invalid, since the parser's message quotes it.
 */
export async function readYaml(
  text: string,
  limit: number,
  workers: YamlWorkers,
  confidential = false,
): Promise<JsonRead> {
  const result = text.length <= INLINE_CHARS ? await inline(text, limit) : await workers.read(text, limit)
  if ('error' in result) {
    const { error, where = 'it breaks the rules of YAML' } = result
    throw badRequest(`the YAML body cannot be read: ${confidential ? where : error}`)
  }
  return { value: result.value as JsonValue, duplicates: [], repeatedLines: result.repeatedLines }
}

/** Yields first: even a small document may take tens of milliseconds, and several may arrive at once. */
async function inline(text: string, limit: number): Promise<Parsed> {
  await yieldToLoop()
  return parseYaml(text, limit)
}

type Parsed = Awaited<ReturnType<typeof parseYaml>>

/** The threads in which a server reads large documents: few at once. */
export class YamlWorkers {
  #working = 0
  readonly #waiting: (() => void)[] = []

  async read(text: string, limit: number): Promise<Parsed> {
    if (this.#waiting.length >= MAX_WAITING)
      throw tooManyRequests('too many large YAML documents wait to be read; send JSON, or try again', 1)
    if (this.#working >= MAX_WORKERS) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#working++
    try {
      return await inWorker(text, limit)
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#working--
    }
  }
}

function inWorker(text: string, limit: number): Promise<Parsed> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), {
      workerData: { text, limit },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const timer = setTimeout(
      () => finish({ error: `it takes longer than ${WORKER_MS / 1000} s; send JSON instead` }),
      WORKER_MS,
    )
    const finish = (parsed: Parsed) => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(parsed)
    }
    worker.once('message', finish)
    worker.once('error', (error) => finish({ error: error.message }))
    worker.once('exit', () => finish({ error: 'it is too large to be read' }))
  })
}
