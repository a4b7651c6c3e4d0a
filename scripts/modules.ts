// The modules of the project with their imports, read once and passed to every check of imports.

import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { importsOf } from './imports-of.ts'
import { sourceFiles } from './source-files.ts'

/** Specifiers by the path of the module that imports them. */
export type Modules = ReadonlyMap<string, readonly string[]>

/** Files of projects that users get, which have a package.json of their own. */
const TEMPLATES = /^packages\/[^/]+\/templates\//
/** The dashboard's page runs in browsers and has an install and checks of its own. */
const PAGE = /^packages\/dashboard\/page\//

/** Every module in a folder. Throws when there is none, since a check of nothing proves nothing. */
export function readModules(root: string): Modules {
  const paths = sourceFiles(root).filter(
    (path) => /\.(ts|mjs)$/.test(path) && path.includes('/') && !TEMPLATES.test(path) && !PAGE.test(path),
  )
  const modules = new Map(paths.map((path) => [path, importsOf(readFileSync(join(root, path), 'utf8'))]))
  if (![...modules.values()].some((specifiers) => specifiers.length > 0)) throw new Error('no module imports anything')
  return modules
}

/** The file that a relative specifier refers to. */
export function importedFile(path: string, specifier: string): string {
  return normalize(join(dirname(path), specifier))
}
