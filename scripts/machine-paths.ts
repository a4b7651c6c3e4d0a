// Checks that no file of the project names the machine it was written on: the project has to work in any folder.

import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { sourceFiles } from './source-files.ts'

/** Folders that every machine has, so that naming them tells nothing about this one. */
const everywhere = ['/', '/tmp', '/home', '/Users', '/root', '/opt', '/srv', '/src', '/usr/src', '/var/tmp']

export function checkMachinePaths(root: string): { problems: string[]; seen: string } {
  const files = sourceFiles(root)
  const folders = [root, dirname(root), homedir()].filter((folder) => !everywhere.includes(folder))
  const problems = files.flatMap((path) =>
    machinePaths(readFileSync(join(root, path), 'utf8'), folders).map((found) => `${path}: names ${found}`),
  )
  return { problems, seen: `none in ${files.length} files` }
}

/** Which of the folders, and which home folders of any user, the text names. */
export function machinePaths(text: string, folders: readonly string[]): string[] {
  const named = folders.filter((folder) =>
    new RegExp(`(?<![\\w.)}/-])${folder.replace(/[^\w/]/g, '\\$&')}/`).test(text),
  )
  const homes = text.match(/(?<![\w.)}/-])\/(?:home|Users)\/[a-z][\w.-]*\//g) ?? []
  return [...new Set([...named, ...homes])]
}
