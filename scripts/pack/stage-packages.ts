// Writes every package as it is published into a folder each: the libraries with their built files, and the command as the bundle.
// The same sources give the same files.

import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildPackages } from '../build/build-packages.ts'
import { buildBundle } from '../bundle/build-bundle.ts'
import { BUNDLED } from '../bundle/bundled-packages.ts'
import { COMMAND, libraries, type Manifest, readManifests } from '../packages.ts'
import { missingReferences } from './missing-references.ts'
import { publishOrder } from './publish-order.ts'
import { publishedManifest, type Shared, sharedFields } from './published-manifest.ts'

export interface Staged {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly folder: string
}

/** `folder` must be empty. Answers the packages, each after those that it depends on. */
export async function stagePackages(root: string, folder: string): Promise<Staged[]> {
  const manifests = readManifests(root)
  const shared = readJson<Shared>(join(root, 'package.json'))
  const packages = libraries(manifests)
  // Maps without sources would only give a stack trace names of files that the user does not have.
  await buildPackages(root, packages, folder, { maps: false })
  for (const [path, manifest] of packages) stageLibrary(root, path, manifest, shared, join(folder, basename(path)))
  for (const [path, name] of Object.entries(BUNDLED)) await stageCommand(root, path, shared, join(folder, name))
  const names = [...Object.values(BUNDLED), ...[...packages.keys()].map((path) => basename(path))]
  const staged = names.map((name) => join(folder, name))
  return publishOrder(
    staged.map((one) => ({ ...readJson<Omit<Staged, 'folder'>>(join(one, 'package.json')), folder: one })),
  )
}

function stageLibrary(root: string, path: string, manifest: Manifest, shared: Shared, folder: string): void {
  const published = publishedManifest(manifest, shared, path)
  writeJson(join(folder, 'package.json'), published)
  for (const file of ['README.md', ...(manifest.files ?? [])]) {
    if (file !== 'dist') cpSync(join(root, path, file), join(folder, file), { recursive: true })
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { bin = {} } = published as { bin?: Record<string, string> }
  for (const file of Object.values(bin)) chmodSync(join(folder, file), 0o755)
  const missing = missingReferences(folder)
  if (missing.length > 0) throw new Error(`${path} would be published without files:\n${missing.join('\n')}`)
}

/** The front page of the project is that of `homeostat`. */
async function stageCommand(root: string, path: string, shared: Shared, folder: string): Promise<void> {
  await buildBundle(folder, path)
  const file = join(folder, 'package.json')
  writeJson(file, { ...readJson<object>(file), ...sharedFields(shared, path) })
  cpSync(join(root, path === COMMAND ? '.' : path, 'README.md'), join(folder, 'README.md'))
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`)
}
