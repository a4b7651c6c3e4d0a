// The file in which `dev` and tests record what an operator asked for. It is only appended to, so that several processes
// may write at once; a line may then be there twice.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type RecordedAccess, readRecorded, recordedLine } from './access/recorded-access.ts'
import type { RequestInfo } from './access/request-info.ts'

export class AccessFile {
  readonly path: string
  #known: Set<string> | undefined

  /** `state` is the folder of a project that is not committed. */
  constructor(state: string) {
    this.path = join(state, 'access.jsonl')
  }

  /** `kinds` are those of the operator, as `group/Kind`. Writes only what is not yet there. */
  record(kinds: readonly string[], request: RequestInfo): void {
    this.#known ??= new Set(this.#text().split('\n'))
    const line = recordedLine(kinds, request)
    if (this.#known.has(line)) return
    this.#known.add(line)
    mkdirSync(dirname(this.path), { recursive: true })
    appendFileSync(this.path, `${line}\n`)
  }

  read(): RecordedAccess[] {
    return readRecorded(this.#text())
  }

  #text(): string {
    return existsSync(this.path) ? readFileSync(this.path, 'utf8') : ''
  }
}
