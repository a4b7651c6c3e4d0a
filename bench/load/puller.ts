// One executor of the load generator: asks for a process and says how the last one ended, on a connection of its own.

import { COLONY, executorName } from '../colony/process.ts'
import { requestText } from '../items/request-text.ts'
import { Connection } from './connection.ts'

/** A name and an attempt, as they are put into the next call. */
export interface Pulled {
  readonly process: string
  readonly attempt: string
}

const WAIT_SECONDS = 300

export class Puller {
  readonly #port: number
  readonly #path: string
  readonly #connection: Connection

  private constructor(port: number, number: number, connection: Connection) {
    this.#port = port
    this.#path = `${COLONY}/executors/${executorName(number)}/assign?timeoutSeconds=${WAIT_SECONDS}`
    this.#connection = connection
  }

  static async open(port: number, number: number): Promise<Puller> {
    return new Puller(port, number, await Connection.open(port))
  }

  /** Closes the last and asks for one more; resolves with it. Without `more` it only closes. */
  ask(last: Pulled | undefined, more = true): Promise<Pulled | undefined> {
    const connection = this.#connection
    const { promise, resolve, reject } = Promise.withResolvers<Pulled | undefined>()
    let text = ''
    connection.onLost = reject
    connection.onBody = (buffer, start, end) => {
      text += buffer.toString('latin1', start, end)
    }
    connection.onAnswer = ({ status }) => {
      const next = pulled(text)
      if (status === 200 && (next !== undefined || !more)) resolve(next)
      else reject(new Error(`an assign was answered ${status} without work: ${text}`))
    }
    connection.send(requestText(this.#port, { method: 'POST', path: this.#path, body: assignBody(last, more) }))
    return promise
  }

  close(): void {
    this.#connection.close()
  }
}

function assignBody(last: Pulled | undefined, more: boolean): string {
  const output = '{"url":"s3://pictures/2026/11/holiday.webp","bytes":48123}'
  const finished = last
    ? `{"process":"${last.process}","attempt":${last.attempt},"result":"Succeeded","output":${output}}`
    : ''
  return `{"max":${more ? 1 : 0},"finished":[${finished}]}`
}

/** Without parsing all of it, so that the load generator costs little. */
function pulled(text: string): Pulled | undefined {
  // Of a Process that was submitted, or of a node of a graph.
  const process = /"name":"(process-\d+|graph-\d+-n\d+-[a-z0-9]+)"/.exec(text)?.[1]
  const attempt = /"attempt":(\d+)/.exec(text)?.[1]
  return process === undefined || attempt === undefined ? undefined : { process, attempt }
}
