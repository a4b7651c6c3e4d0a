// The folder of manifests, or of a chart, on disk: what differs from the wanted files, and writing them. Files without the mark of
// `synth` belong to somebody else and are left alone.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '../fault.ts'
import { MARK } from './manifest-files.ts'

export interface FileChange {
  readonly name: string
  /** Undefined: the file is not there. */
  readonly before: string | undefined
  /** Undefined: nothing writes the file any more. */
  readonly after: string | undefined
}

export function changesIn(folder: string, files: ReadonlyMap<string, string>): FileChange[] {
  // Only where something is written: a folder below may be somebody else's, with files of ours.
  const folders = [...new Set([...files.keys()].map((name) => dirname(name)))]
  const present = folders.flatMap((one) => yamlFilesIn(folder, one))
  const texts = new Map(present.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const stale = [...texts].filter(([name, text]) => text.startsWith(MARK) && !files.has(name))
  return [
    ...[...files].map(([name, after]) => ({ name, before: texts.get(name), after })),
    ...stale.map(([name, before]) => ({ name, before, after: undefined })),
  ].filter(({ before, after }) => before !== after)
}

function yamlFilesIn(folder: string, inner: string): string[] {
  const path = join(folder, inner)
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : []
  return names.map((name) => (inner === '.' ? name : `${inner}/${name}`))
}

export function writeChanges(folder: string, changes: readonly FileChange[]): void {
  const foreign = changes.find(({ before }) => before !== undefined && !before.startsWith(MARK))
  if (foreign !== undefined) {
    throw new Fault(`${join(folder, foreign.name)} was not written by synth: move it, or name another folder`)
  }
  for (const { name, after } of changes) {
    if (after === undefined) {
      rmSync(join(folder, name))
      continue
    }
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), after)
  }
}
