// Installs the packages into a folder outside the clone as npm would: JavaScript under node_modules, without the source
// condition. Each call makes a copy of its own, which shares no class with any other.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, { readonly default?: string }>>
}

/** Installs the packages, such as `operator`, with all that they depend on. */
export function installCopies(folder: string, ...names: readonly string[]): void {
  const wanted = new Set(names)
  for (const name of wanted) {
    const { dependencies, peerDependencies } = installCopy(folder, name)
    for (const other of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (other.startsWith('@homeostat/')) wanted.add(other.slice('@homeostat/'.length))
      else link(folder, other)
    }
  }
}

function installCopy(folder: string, name: string): Manifest {
  const from = join(root, 'packages', name)
  const to = join(folder, 'node_modules/@homeostat', name)
  const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const entries = Object.entries(manifest.exports).map(([entry, { default: file }]) => [entry, file])
  for (const path of readdirSync(join(from, 'src'), { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(path)) writeScript(join(from, 'src', path), to, path)
  if (existsSync(join(from, 'facts'))) cpSync(join(from, 'facts'), join(to, 'facts'), { recursive: true })
  writeFileSync(
    join(to, 'package.json'),
    JSON.stringify({ ...manifest, version: '0.0.9', exports: Object.fromEntries(entries) }),
  )
  return manifest
}

function writeScript(source: string, to: string, path: string): void {
  const script = stripTypeScriptTypes(readFileSync(source, 'utf8'))
  const file = join(to, 'dist', path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, script.replace(/(['"])(\.{1,2}\/[^'"]*)\.ts\1/g, '$1$2.js$1'))
}

/** What is not ours is the same everywhere. */
function link(folder: string, name: string): void {
  const to = join(folder, 'node_modules', name)
  const from = join(root, 'node_modules', name)
  if (existsSync(to) || !existsSync(from)) return
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(from, to)
}
