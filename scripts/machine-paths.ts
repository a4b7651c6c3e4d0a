// Checks that no file contains a path of the machine it was written on: the project must work in any folder.

import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { sourceFiles } from './source-files.ts'

/** Folders that every machine has: their names reveal nothing. */
const everywhere = ['/', '/tmp', '/home', '/Users', '/root', '/opt', '/srv', '/src', '/usr/src', '/var/tmp']

export function checkMachinePaths(root: string): { problems: string[]; seen: string } {
  const files = sourceFiles(root)
  const folders = [root, dirname(root), homedir()].filter((folder) => !everywhere.includes(folder))
  const problems = files.flatMap((path) =>
    machinePaths(readFileSync(join(root, path), 'utf8'), folders).map((found) => `${path}: names ${found}`),
  )
  return { problems, seen: `none in ${files.length} files` }
}

/** The folders, and the home folders of any user, that the text contains. */
export function machinePaths(text: string, folders: readonly string[]): string[] {
  const named = folders.filter((folder) =>
    new RegExp(`(?<![\\w.)}/-])${folder.replace(/[^\w/]/g, '\\$&')}/`).test(text),
  )
  const homes = text.match(/(?<![\w.)}/-])\/(?:home|Users)\/[a-z][\w.-]*\//g) ?? []
  return [...new Set([...named, ...homes])]
}
