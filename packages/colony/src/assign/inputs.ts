// Puts the input of a Process into the response to an assign: the outputs of the Processes that it names, in order. It is not
// stored, so that an output is kept once.

import type { Api, CachedObject } from '@homeostat/apiserver'
import type { Process } from '@homeostat/executor/protocol'
import { writeJson } from '@homeostat/meta'
import { nameOf, PROCESSES } from '../kinds/resources.ts'

/** A larger input is left out, and the executor reads the outputs itself. */
const MAX_INPUT = 1 << 20
const FIELD = '"inputFrom"'

export class Inputs {
  readonly #api: Pick<Api, 'object' | 'parsed'>

  constructor(api: Pick<Api, 'object' | 'parsed'>) {
    this.#api = api
  }

  /** The bytes of the Process as its executor gets them. */
  withInput(object: CachedObject): Uint8Array {
    // Almost no Process has input, and those are not parsed.
    if (!object.bytes.includes(FIELD)) return object.bytes
    const process = this.#api.parsed(PROCESSES, object) as unknown as Process | undefined
    const { inputFrom = [] } = process?.spec ?? {}
    if (process === undefined || inputFrom.length === 0) return object.bytes
    const { namespace } = nameOf(object.name)
    const input: unknown[] = []
    let size = 0
    for (const name of inputFrom) {
      const output = name === '' ? null : (this.#output(namespace, name) ?? null)
      size += Buffer.byteLength(writeJson(output as null))
      if (size > MAX_INPUT) return object.bytes
      input.push(output)
    }
    const status = { ...process.status, input }
    return Buffer.from(writeJson({ ...process, status } as unknown as Parameters<typeof writeJson>[0]))
  }

  #output(namespace: string, name: string): unknown {
    const cached = this.#api.object(PROCESSES, { namespace, name })
    const parent = cached && (this.#api.parsed(PROCESSES, cached) as unknown as Process | undefined)
    return parent?.status.output
  }
}
