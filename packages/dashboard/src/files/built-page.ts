// The page's files as they were built, kept in memory from the first request on. In a clone, where nothing is built, the first
// request has it built, and the browser sees how far that is.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { SiteAnswer } from '@homeostat/apiserver'
import { documentHeaders, FOREVER, PRIVATE } from '../headers.ts'
import { type PackedFile, plainBody, unpackFiles } from './packed-files.ts'

/** Where the build writes to. A published command has the file beside its code. */
const PACK = new URL('../../page/dist/page.pack', import.meta.url)
const DOCUMENT = 'index.html'
/** In the document, where the nonce belongs. */
const NONCE = /%NONCE%/g
/** Where the API's own paths are, for commands to paste: empty at the server itself. */
const API = /%API%/g

export class BuiltPage {
  readonly #pack: string
  #read:
    | { readonly files: ReadonlyMap<string, PackedFile>; readonly document: string; readonly time: number }
    | undefined
  #clone: Promise<import('./clone-build.ts').CloneBuild> | undefined

  constructor(pack: string = fileURLToPath(PACK)) {
    this.#pack = pack
  }

  /** `path` begins behind the site's own. All paths but those of files are the document's, which shows what they name. */
  async answer(path: string, headers: IncomingHttpHeaders, apiRoot = ''): Promise<SiteAnswer> {
    const progress = await this.#progress()
    if (progress !== undefined) return progress
    const { files, document } = this.#files()
    const file = path.startsWith('/assets/') ? files.get(path.slice(1)) : undefined
    if (file !== undefined) return fileAnswer(file, headers)
    if (path.startsWith('/assets/')) return { status: 404, headers: PRIVATE, body: Buffer.from('no such file\n') }
    const nonce = randomBytes(18).toString('base64url')
    return {
      status: 200,
      headers: documentHeaders(nonce),
      body: Buffer.from(document.replace(NONCE, nonce).replace(API, apiRoot)),
    }
  }

  #files() {
    const time = statSync(this.#pack).mtimeMs
    if (this.#read?.time !== time) {
      const files = unpackFiles(readFileSync(this.#pack))
      const document = files.get(DOCUMENT)
      if (document === undefined) throw new Error(`the built page in ${this.#pack} has no ${DOCUMENT}`)
      this.#read = { files, document: plainBody(document).toString('utf8'), time }
    }
    return this.#read
  }

  /** Undefined when the page is built. */
  async #progress(): Promise<SiteAnswer | undefined> {
    const builder = new URL('../build.ts', `file://${this.#pack}`)
    if (!existsSync(builder)) return undefined
    // Only in a clone.
    this.#clone ??= import('./clone-build.ts').then(({ CloneBuild }) => new CloneBuild(this.#pack))
    return (await this.#clone).progress()
  }
}

function fileAnswer(file: PackedFile, headers: IncomingHttpHeaders): SiteAnswer {
  const takesBrotli = /\bbr\b/.test(String(headers['accept-encoding'] ?? ''))
  const type = ['Content-Type', file.type, 'Vary', 'Accept-Encoding']
  if (!file.compressed) return { status: 200, headers: [...FOREVER, ...type], body: file.body }
  if (!takesBrotli) return { status: 200, headers: [...FOREVER, ...type], body: plainBody(file) }
  return { status: 200, headers: [...FOREVER, ...type, 'Content-Encoding', 'br'], body: file.body }
}
