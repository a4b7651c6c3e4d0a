// Watches the files that the operator's program was loaded from, and reports those whose content has changed. It watches
// their folders: an editor or `sed -i` puts a new file in the place of the old one, and a watch on the old one would see
// nothing more.

import { createHash } from 'node:crypto'
import { existsSync, type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

/** A change is reported when two looks, so far apart, see the same: a checkout writes many files, an editor in steps. */
const SETTLE_MS = 40

export class SourceWatch {
  readonly #onChange: (files: readonly string[]) => void
  /** The content of each file as a digest; undefined if it does not exist. */
  readonly #digests = new Map<string, string | undefined>()
  readonly #folders = new Map<string, FSWatcher>()
  #touched = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #lastLook = ''

  /** Calls back with absolute paths, one or more. */
  constructor(onChange: (files: readonly string[]) => void) {
    this.#onChange = onChange
  }

  /** `loadedAfter`: a file written later than this may differ from what was loaded, and counts as changed. */
  add(file: string, loadedAfter: number): void {
    this.#watchFolderOf(file)
    if (this.#digests.has(file)) return
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    this.#digests.set(file, written > loadedAfter ? 'unknown' : digestOf(file))
    if (written > loadedAfter) this.#touch(file)
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#folders.values()) watcher.close()
    this.#folders.clear()
  }

  /** Watches the nearest folder that exists; a missing folder is seen there when it is created. True for a new watch. */
  #watchFolderOf(file: string): boolean {
    let folder = dirname(file)
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
    if (this.#folders.has(folder)) return false
    try {
      const watcher = watch(folder, (_, name) => this.#onEvent(folder, name))
      watcher.on('error', () => this.#forget(folder))
      this.#folders.set(folder, watcher)
      return true
    } catch {
      // It was deleted meanwhile; the next look finds another.
      return false
    }
  }

  #onEvent(folder: string, name: string | null): void {
    // A folder that is deleted or moved reports its own name; its watch sees nothing more, even if it is created again.
    if (name === null || (name === basename(folder) && !existsSync(join(folder, name)))) this.#forget(folder)
    const changed = name === null ? folder : join(folder, name)
    for (const file of this.#digests.keys()) {
      if (file === changed || file.startsWith(changed + sep)) this.#touch(file)
    }
  }

  #forget(folder: string): void {
    this.#folders.get(folder)?.close()
    this.#folders.delete(folder)
    for (const file of this.#digests.keys()) {
      if (!file.startsWith(folder + sep)) continue
      this.#watchFolderOf(file)
      this.#touch(file)
    }
  }

  #touch(file: string): void {
    this.#touched.add(file)
    this.#timer ??= setTimeout(() => this.#look(), SETTLE_MS)
  }

  #look(): void {
    const found = [...this.#touched].map((file) => [file, digestOf(file)] as const)
    const look = found.flat().join(' ')
    const isSettled = look === this.#lastLook
    this.#lastLook = look
    if (!isSettled) {
      this.#timer = setTimeout(() => this.#look(), SETTLE_MS)
      return
    }
    this.#timer = undefined
    this.#touched = new Set()
    this.#lastLook = ''
    for (const [file, digest] of found) {
      // A folder that is new may have got its files before its watch: look again.
      if (this.#watchFolderOf(file) && digest === undefined) this.#touch(file)
    }
    const changed = found.filter(([file, digest]) => this.#digests.get(file) !== digest)
    for (const [file, digest] of changed) this.#digests.set(file, digest)
    if (changed.length > 0) this.#onChange(changed.map(([file]) => file))
  }
}

function digestOf(file: string): string | undefined {
  try {
    return createHash('sha1').update(readFileSync(file)).digest('base64')
  } catch {
    return undefined
  }
}
