// Writes a file that is on the disk, whole, before the call returns; only its owner may read it.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** The file must not exist. */
export function writeDurable(file: string, content: string): void {
  const fd = openSync(file, 'wx', 0o600)
  try {
    writeSync(fd, content)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** The file appears whole, or replaces another. */
export function replaceDurable(file: string, content: string): void {
  const unfinished = `${file}.${process.pid}.tmp`
  // A killed process may have left it, and in a container the next one has the same number.
  rmSync(unfinished, { force: true })
  writeDurable(unfinished, content)
  renameSync(unfinished, file)
}
