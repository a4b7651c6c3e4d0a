// Builds the page in a clone: when somebody opens it and its sources are newer than what was built. The browser gets a document
// that says what is going on and asks again. Never loaded by a published command.

import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SiteAnswer } from '@homeostat/apiserver'
import { documentHeaders } from '../headers.ts'
import { newestSource } from './newest-source.ts'

/** Sources are looked at no more often than this. */
const LOOK_EVERY_MS = 1000

export class CloneBuild {
  readonly #pack: string
  readonly #folder: string
  #looked = Number.NEGATIVE_INFINITY
  #running: string[] | undefined
  #failure: { readonly text: string; readonly sources: number } | undefined

  constructor(pack: string) {
    this.#pack = pack
    this.#folder = dirname(dirname(pack))
  }

  /** What to show instead of the page; undefined when it is built from the sources as they are. */
  progress(): SiteAnswer | undefined {
    if (this.#running !== undefined) return showing('Building the dashboard …', this.#running.join(''), true)
    const now = performance.now()
    if (this.#failure === undefined && now - this.#looked < LOOK_EVERY_MS) return undefined
    this.#looked = now
    const sources = newestSource(this.#folder)
    if (this.#failure?.sources === sources)
      return showing('The dashboard could not be built', this.#failure.text, false)
    this.#failure = undefined
    if (existsSync(this.#pack) && statSync(this.#pack).mtimeMs >= sources) return undefined
    this.#build(sources)
    return showing('Building the dashboard …', 'The first time takes about half a minute.\n', true)
  }

  #build(sources: number): void {
    const lines: string[] = []
    this.#running = lines
    const child = spawn(process.execPath, [join(this.#folder, 'build.ts')], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => lines.push(String(chunk)))
    const end = (problem: string | undefined) => {
      this.#running = undefined
      this.#looked = Number.NEGATIVE_INFINITY
      if (problem !== undefined) this.#failure = { text: `${lines.join('')}\n${problem}`, sources }
    }
    child.on('error', (error) => end(error.message))
    child.on('close', (code) => end(code === 0 ? undefined : `it ended with code ${code}`))
  }
}

/** Asks again after a second while it is being built. */
function showing(title: string, text: string, again: boolean): SiteAnswer {
  const safe = text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><pre>${safe}</pre></html>\n`
  const refresh = again ? ['Refresh', '1'] : []
  return { status: again ? 503 : 500, headers: [...documentHeaders(), ...refresh], body: Buffer.from(body) }
}
