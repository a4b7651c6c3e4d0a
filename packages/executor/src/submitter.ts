// Submits Processes. Those of one turn of the event loop travel in one request, and those that come while it is under way in the
// next one, so that the order of submission is kept.

import { yieldToLoop } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { type Status, StatusError, writeJson } from '@homeostat/meta'
import { COLONIES, type Process, type ProcessSpec } from './protocol.ts'

export interface SubmitterOptions {
  readonly client: Client
  /** The namespace. */
  readonly colony: string
}

export interface NewProcess {
  /** The second submit of a name is refused with 409, so that a submit can be repeated. Default: one that the server makes. */
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec: ProcessSpec
}

export interface Submitter {
  /** Resolves to the Process when it is stored. Rejects with a StatusError when it is refused. */
  submit(process: NewProcess): Promise<Process>
}

/** The server's limit for one request. */
const MAX_ITEMS = 100
/** The items of one request, unless a single one is larger; the server reads 3 MiB. */
const MAX_BYTES = 1024 * 1024
const API_VERSION = `${COLONIES.group}/${COLONIES.version}`

interface Waiting {
  readonly text: string
  resolve(process: Process): void
  reject(error: unknown): void
}

export function submitter(options: SubmitterOptions): Submitter {
  return new JoinedSubmits(options)
}

class JoinedSubmits implements Submitter {
  readonly #options: SubmitterOptions
  #waiting: Waiting[] = []
  #sending = false

  constructor(options: SubmitterOptions) {
    this.#options = options
  }

  readonly submit = ({ name, labels, annotations, spec }: NewProcess): Promise<Process> => {
    const named = name === undefined ? { generateName: 'process-' } : { name }
    const metadata = { ...named, ...(labels && { labels }), ...(annotations && { annotations }) }
    return new Promise((resolve, reject) => {
      const text = writeJson({ apiVersion: API_VERSION, kind: 'Process', metadata, spec })
      this.#waiting.push({ text, resolve, reject })
      if (this.#sending) return
      this.#sending = true
      setImmediate(() => void this.#sendAll())
    })
  }

  /** Never rejects. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#send(this.#next())
      // The executor of the same program hears of its Processes in this turn, too. Its next call then waits at the server when these
      // arrive, which stores them as its own: two durable writes for a job and not three.
      await yieldToLoop()
    }
    this.#sending = false
  }

  #next(): readonly Waiting[] {
    let bytes = 0
    const past = this.#waiting.findIndex(({ text }, index) => {
      bytes += text.length
      return index > 0 && (bytes > MAX_BYTES || index === MAX_ITEMS)
    })
    return this.#waiting.splice(0, past === -1 ? this.#waiting.length : past)
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const { client, colony } = this.#options
    try {
      const response = (await client.requestJson({
        method: 'POST',
        path: `/apis/${API_VERSION}/namespaces/${colony}/processes`,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: `{"apiVersion":"${API_VERSION}","kind":"ProcessList","items":[${batch.map(({ text }) => text).join()}]}`,
      })) as { readonly items: readonly (Process | Status)[] }
      for (const [index, { resolve, reject }] of batch.entries()) {
        const item = response.items[index]
        if (item === undefined) reject(new Error('the server did not say what became of the Process'))
        else if (item.kind === 'Status') reject(new StatusError(item as Status))
        else resolve(item as Process)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
