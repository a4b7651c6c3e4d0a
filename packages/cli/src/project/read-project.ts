// The shape of an author's project: where its program, its examples and its manifests are. `dev` and `synth` read it.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { messageOf } from '@homeostat/base'
import { Fault } from '../fault.ts'

export interface Project {
  /** The folder of its package.json; the given folder if there is none. */
  readonly folder: string
  /** From package.json without its scope, else the name of the folder. It can be the name of an object. */
  readonly name: string
  readonly version: string
  /** The file of the program, which calls `run()`. */
  readonly entry: string
  /** Folders, which need not exist: what `dev` applies, what `synth` writes, and what is not committed. */
  readonly examples: string
  readonly deploy: string
  readonly chart: string
  readonly state: string
}

interface Manifest {
  readonly name?: unknown
  readonly version?: unknown
  readonly homeostat?: { readonly entry?: unknown }
}

const ENTRIES = ['src/main.ts', 'main.ts', 'src/main.js', 'main.js']

/** `entry` is what the command line names, relative to the folder. */
export function readProject(folder: string, entry?: string): Project {
  const from = entry === undefined ? resolve(folder) : dirname(resolve(folder, entry))
  const root = packageFolder(from) ?? resolve(folder)
  const manifest = readManifest(root)
  const { name, version } = manifest
  return {
    folder: root,
    name: objectName(typeof name === 'string' ? name : basename(root)),
    version: typeof version === 'string' && version !== '' ? version : '0.0.0',
    entry: entry === undefined ? defaultEntry(root, manifest) : existing(resolve(folder, entry), entry),
    examples: join(root, 'examples'),
    deploy: join(root, 'deploy'),
    chart: join(root, 'chart'),
    state: join(root, '.homeostat'),
  }
}

function packageFolder(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

function readManifest(folder: string): Manifest {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return {}
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof manifest === 'object' && manifest !== null ? manifest : {}
  } catch (cause) {
    throw new Fault(`${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}

function defaultEntry(root: string, { homeostat }: Manifest): string {
  const named = homeostat?.entry
  if (typeof named === 'string') return existing(join(root, named), `${named}, which package.json names,`)
  const found = ENTRIES.find((file) => existsSync(join(root, file)))
  if (found !== undefined) return join(root, found)
  throw new Fault(
    `there is no program in ${relative('', root) || root}: neither ${ENTRIES.join(', ')}, nor a "homeostat": {"entry": ...} ` +
      'in package.json; name the file that calls run()',
  )
}

function existing(file: string, shown: string): string {
  if (!existsSync(file)) throw new Fault(`${shown} does not exist; name the file that calls run()`)
  return file
}

/** `@shop/My_Operator` is `my-operator`. */
function objectName(name: string): string {
  const cut = name
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, 63)
  return cut.replaceAll(/^-+|-+$/g, '') || 'operator'
}
