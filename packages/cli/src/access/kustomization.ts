// The files of a Kustomize base: those that the `resources` of a kustomization.yaml list, also of other bases. What would change
// objects is refused, since leaving it out would apply something else than Kustomize does.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'
import { readValues } from './documents.ts'

const NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']
const KNOWN = new Set(['apiVersion', 'kind', 'metadata', 'resources'])

/** In the order in which they are listed. */
export async function kustomizedFiles(folder: string, terminal: Terminal): Promise<string[]> {
  return filesIn(folder, terminal, new Set())
}

async function filesIn(folder: string, terminal: Terminal, around: ReadonlySet<string>): Promise<string[]> {
  if (around.has(folder))
    throw new Fault(`${folder}: the kustomization lists itself, through ${[...around].join(', ')}`)
  const file = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (file === undefined) throw new Fault(`${folder} has no kustomization.yaml; apply its files with -f ${folder}`)
  const files: string[] = []
  for (const resource of resourcesIn(await readValues(file, terminal), file, folder)) {
    const path = join(folder, resource)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) throw new Fault(`${file}: there is no ${resource}; addresses in the web are not read`)
    if (found.isDirectory()) files.push(...(await filesIn(path, terminal, new Set([...around, folder]))))
    else files.push(path)
  }
  return files
}

function resourcesIn([value]: readonly unknown[], file: string, folder: string): readonly string[] {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>
  const foreign = Object.keys(fields).filter((name) => !KNOWN.has(name))
  if (foreign.length > 0) {
    const instead = `kubectl kustomize ${folder} | homeostat apply -f -`
    throw new Fault(`${file}: ${foreign.join(', ')}: only resources are read here; use Kustomize itself: ${instead}`)
  }
  const { resources = [] } = fields
  if (!Array.isArray(resources) || !resources.every((one) => typeof one === 'string')) {
    throw new Fault(`${file}: resources must be a list of files and folders`)
  }
  if (resources.length === 0) throw new Fault(`${file} lists no resources`)
  return resources
}
