// Writes the files of a project into a new or an empty folder. It never replaces a file.

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Project } from './project.ts'
import { shownPath } from './quoted.ts'
import { substitute } from './substitute.ts'
import { templateFiles } from './template-files.ts'

/** What may be in a folder that counts as empty: a new repository, and what editors leave. */
const UNIMPORTANT = new Set(['.git', '.idea', '.vscode', '.DS_Store'])

export function writeProject(project: Project, version: string): void {
  for (const [path, text] of templateFiles(project.template)) {
    const file = join(project.folder, substitute(path, project, version))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, substitute(text, project, version), { flag: 'wx' })
  }
}

/** Why no project can be written into the folder; undefined if it is missing or empty. */
export function fullFolder(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (!found.isDirectory()) return `${shownPath(folder)} is a file; name a folder that is new or empty`
  const inside = readdirSync(folder).filter((name) => !UNIMPORTANT.has(name))
  if (inside.length === 0) return undefined
  return `${shownPath(folder)} has ${shownPath(inside[0] ?? '')} in it; name a folder that is new or empty`
}
