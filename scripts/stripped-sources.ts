// The sources without their types, kept in one file from one start to the next: Node would read two files for each of them.
// Node's own modules are taken by a call, as in the bundle. A source that was changed since is read again. quick-imports.ts asks for
// each text and saves what is new.

import { openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { takeBuiltins } from './bundle/builtin-imports.ts'

/** A text: of which state of its source, and where in the file. */
type Place = readonly [changedMs: number, size: number, start: number, end: number]

export class StrippedSources {
  readonly #file: string
  readonly #places: Readonly<Record<string, Place>>
  readonly #kept: KeptTexts | undefined
  readonly #fresh = new Map<string, { readonly changedMs: number; readonly size: number; readonly text: string }>()

  /** Only the user may write to the folder of `file`, as with the compile cache: what is in it is run. */
  constructor(file: string) {
    this.#file = file
    const kept = read(file)
    this.#places = kept?.places ?? {}
    this.#kept = kept?.texts
  }

  /** Throws when the source cannot be read. */
  textOf(path: string): string {
    // The time of the last change of any kind, which nobody can set back.
    const { ctimeMs: changedMs, size } = statSync(path)
    const place = this.#places[path]
    if (place?.[0] === changedMs && place[1] === size && this.#kept !== undefined) {
      return this.#kept.bytes(place[2], place[3]).toString('utf8')
    }
    const text = takeBuiltins(stripTypeScriptTypes(readFileSync(path, 'utf8')))
    this.#fresh.set(path, { changedMs, size, text })
    return text
  }

  /** Lets the memory go once most texts were asked for: the others are read from the file. */
  forget(): void {
    this.#kept?.forget()
  }

  /** Writes the file if there is something new. Where it cannot be written, starts are slower and that is all. */
  save(): void {
    if (this.#fresh.size === 0) return
    const places: Record<string, Place> = {}
    const texts: Buffer[] = []
    let end = 0
    const add = (path: string, changedMs: number, size: number, bytes: Buffer) => {
      const start = end
      end += bytes.length
      places[path] = [changedMs, size, start, end]
      texts.push(bytes)
    }
    const kept = (from: number, to: number) => this.#kept?.bytes(from, to) ?? Buffer.alloc(0)
    for (const [path, place] of Object.entries(this.#places)) {
      if (!this.#fresh.has(path)) add(path, place[0], place[1], kept(place[2], place[3]))
    }
    for (const [path, { changedMs, size, text }] of this.#fresh) add(path, changedMs, size, Buffer.from(text))
    const index = Buffer.from(JSON.stringify(places))
    const head = Buffer.alloc(4)
    head.writeUInt32LE(index.length)
    try {
      // Renamed when it is whole: two starts may write at once.
      const whole = `${this.#file}.${process.pid}`
      writeFileSync(whole, Buffer.concat([head, index, ...texts]), { mode: 0o600 })
      renameSync(whole, this.#file)
    } catch {}
  }
}

/** The file stays open, since another start may put a new one in its place. */
class KeptTexts {
  readonly #descriptor: number
  readonly #start: number
  #bytes: Buffer | undefined

  constructor(descriptor: number, whole: Buffer, start: number) {
    this.#descriptor = descriptor
    this.#start = start
    this.#bytes = whole.subarray(start)
  }

  bytes(from: number, to: number): Buffer {
    if (this.#bytes !== undefined) return this.#bytes.subarray(from, to)
    const read = Buffer.alloc(to - from)
    readSync(this.#descriptor, read, 0, read.length, this.#start + from)
    return read
  }

  forget(): void {
    this.#bytes = undefined
  }
}

function read(
  file: string,
): { readonly places: Readonly<Record<string, Place>>; readonly texts: KeptTexts } | undefined {
  try {
    const descriptor = openSync(file, 'r')
    const bytes = readFileSync(descriptor)
    const start = 4 + bytes.readUInt32LE()
    const places = JSON.parse(bytes.toString('utf8', 4, start))
    return { places, texts: new KeptTexts(descriptor, bytes, start) }
  } catch {
    return undefined
  }
}
