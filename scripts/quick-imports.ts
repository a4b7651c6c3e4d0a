// Resolves imports without the disk. The sources give exact file names, and each package resolves to one folder; Node's
// own resolution checks the disk and looks for a package.json at every import, a fifth of the start-up time.
// bootstrap.mjs preloads it before the command; a bundle does not need it.

import { realpathSync } from 'node:fs'
import { type ResolveFnOutput, registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const SOURCES = new URL('../packages/', import.meta.url).href
const packages = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL
    if (!from?.startsWith(SOURCES)) return next(specifier, context)
    if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin', shortCircuit: true }
    if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
      return { url: joined(from, specifier), format: 'module-typescript', shortCircuit: true }
    }
    if (!specifier.startsWith('@homeostat/')) return next(specifier, context)
    let found = packages.get(specifier)
    if (found === undefined) {
      const resolved = next(specifier, context)
      // Node 22 may keep the node_modules symlink in the path, and does not strip types there.
      const url = pathToFileURL(realpathSync(fileURLToPath(resolved.url))).href
      found = { ...resolved, url, shortCircuit: true }
      packages.set(specifier, found)
    }
    return found
  },
})

/** Equals `new URL(specifier, from).href` for paths that need no escaping: `from` is already escaped. */
function joined(from: string, specifier: string): string {
  let folder = from.slice(0, from.lastIndexOf('/'))
  let path = specifier.startsWith('./') ? specifier.slice(2) : specifier
  while (path.startsWith('../')) {
    folder = folder.slice(0, folder.lastIndexOf('/'))
    path = path.slice(3)
  }
  return `${folder}/${path}`
}
