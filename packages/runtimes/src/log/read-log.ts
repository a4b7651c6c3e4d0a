// Reads the log files of a folder with the given options, and follows them while they grow. It keeps files open across a
// rotation, so that no line is lost or read twice.

import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogOptions } from '../runtime.ts'
import { LOG_FILES } from './log-files.ts'
import { LogPrinter } from './log-printer.ts'
import { parseRecord } from './log-record.ts'

const CHUNK = 64 * 1024
const LOOK_AGAIN_MS = 100

interface Place {
  /** The index among the open files. */
  readonly file: number
  readonly offset: number
}

/** `ended` returns true once nothing more will be written. */
export async function* readLog(folder: string, options: LogOptions, ended: () => boolean): AsyncIterable<Uint8Array> {
  const files = await openFiles(folder)
  const printer = new LogPrinter(options)
  try {
    let place = await tailStart(files, options.tailLines)
    let rest = Buffer.alloc(0)
    while (!options.signal?.aborted) {
      const last = options.follow !== true || ended()
      const file = files[place.file]
      const chunk = file ? await readAt(file, place.offset, CHUNK) : Buffer.alloc(0)
      if (chunk.length > 0) {
        place = { file: place.file, offset: place.offset + chunk.length }
        const { lines, left } = splitLines(rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk)
        rest = left
        const bytes = Buffer.concat(lines.map((line) => printer.print(parseRecord(line))))
        if (bytes.length > 0) yield bytes
        if (printer.full) return
      } else if (place.file + 1 < files.length) place = { file: place.file + 1, offset: 0 }
      // After a rotation the old file is read once more: lines may have arrived before the rotation.
      else if (options.follow === true && (await openNext(folder, files))) continue
      else if (last) return
      else await pause(LOOK_AGAIN_MS, options.signal)
    }
  } finally {
    for (const file of files) await file.close()
  }
}

/** The older file, if there is one, and the current one. */
async function openFiles(folder: string): Promise<FileHandle[]> {
  const current = await openIfThere(join(folder, LOG_FILES.current))
  const older = await openIfThere(join(folder, LOG_FILES.older))
  const files = [older, current].filter((file) => file !== undefined)
  if (!current || !older || (await inode(current)) !== (await inode(older))) return files
  // The log was rotated in between.
  for (const file of files) await file.close()
  return openFiles(folder)
}

/** Opens the file that replaced the one that was read last. */
async function openNext(folder: string, files: FileHandle[]): Promise<boolean> {
  const path = join(folder, LOG_FILES.current)
  const last = files.at(-1)
  const there = await stat(path).catch(() => undefined)
  if (!there || (last && there.ino === (await inode(last)))) return false
  const next = await openIfThere(path)
  if (!next) return false
  files.push(next)
  return true
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function inode(file: FileHandle): Promise<number> {
  return (await file.stat()).ino
}

/** The position at which the given number of last lines begins, searched from the end. */
async function tailStart(files: readonly FileHandle[], lines: number | undefined): Promise<Place> {
  if (lines === undefined) return { file: 0, offset: 0 }
  let missing = lines
  for (let index = files.length - 1; index >= 0; index--) {
    const file = files[index] as FileHandle
    const { size } = await file.stat()
    if (missing === 0) return { file: index, offset: size }
    for (let end = size; end > 0; ) {
      const start = Math.max(0, end - CHUNK)
      const chunk = await readAt(file, start, end - start)
      for (let at = chunk.lastIndexOf(NEWLINE); at !== -1; at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)) {
        // A line begins after the end of the one before; the last newline begins no line.
        if (start + at + 1 === size) continue
        missing--
        if (missing === 0) return { file: index, offset: start + at + 1 }
      }
      end = start
    }
    if (size > 0) missing--
    if (missing === 0) return { file: index, offset: 0 }
  }
  return { file: 0, offset: 0 }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(buffer, 0, length, offset)
  return buffer.subarray(0, bytesRead)
}

function splitLines(bytes: Buffer): { lines: Buffer[]; left: Buffer<ArrayBuffer> } {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return { lines, left: Buffer.from(bytes.subarray(start)) }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

const NEWLINE = '\n'.charCodeAt(0)
