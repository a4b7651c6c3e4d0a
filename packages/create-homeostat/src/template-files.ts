// The files of a template: those that all templates share, and its own, which win. A name that tools would take for a part
// of this repository, or that npm leaves out of a package, begins with an underscore there: `_gitignore`, `_package.json`.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Template } from './project.ts'

const folder = fileURLToPath(new URL('../templates', import.meta.url))

/** Texts by path in the project, with the names of the template still in both. */
export function templateFiles(template: Template): Map<string, string> {
  return new Map([...filesIn(join(folder, 'shared')), ...filesIn(join(folder, template))])
}

function filesIn(root: string): [string, string][] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [
      join(relative(root, parentPath), realName(name)),
      readFileSync(join(parentPath, name), 'utf8'),
    ])
}

function realName(name: string): string {
  const [, rest] = /^_(.+)$/.exec(name) ?? []
  if (rest === undefined) return name
  return rest.endsWith('.json') ? rest : `.${rest}`
}
