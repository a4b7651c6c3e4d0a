// What a package's code is built from: the sources of its entries and commands, by the name of the built file. Pure but for
// patterns such as `./kinds/*`, which are looked up on the disk.

import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../packages.ts'

/** E.g. `node/index`, for dist/node/index.js, with `packages/client/src/node/index.ts`. */
export function entryFiles(root: string, folder: string, { exports = {}, bin = {} }: Manifest): Map<string, string> {
  const entries = Object.values(exports).flatMap((target): [string, string][] => {
    if (typeof target === 'string' || target.default === undefined) return []
    const [source, built] = [join(folder, target['homeostat-source']), nameOf(target.default)]
    if (!source.includes('*')) return [[built, source]]
    const [before = '', after = ''] = source.split('*')
    const matches = globSync(source, { cwd: root }).sort()
    return matches.map((path) => [built.replace('*', path.slice(before.length, -after.length)), path])
  })
  const commands = Object.values(bin).map((source): [string, string] => [
    nameOf(builtCode(source)),
    join(folder, source),
  ])
  return new Map([...entries, ...commands])
}

/** `./src/main.ts` is built as `./dist/main.js`. */
export function builtCode(source: string): string {
  return source.replace('./src/', './dist/').replace(/\.ts$/, '.js')
}

/** The declarations of a source, which lie as the sources do. */
export function builtDeclarations(source: string): string {
  return source.replace('./src/', './dist/').replace(/\.ts$/, '.d.ts')
}

function nameOf(built: string): string {
  return built.replace('./dist/', '').replace(/\.js$/, '')
}
