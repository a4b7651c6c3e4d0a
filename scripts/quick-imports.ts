// Loads the sources with less of Node's work per file, a third of the start-up time. Imports are resolved without the disk: the
// sources give exact file names, and each package resolves to one folder. Their texts without types come from one file
// (stripped-sources.ts). bootstrap.mjs preloads it before the command; a bundle does not need it.

import { realpathSync } from 'node:fs'
import { getCompileCacheDir, type ResolveFnOutput, registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { StrippedSources } from './stripped-sources.ts'

const SOURCES = new URL('../packages/', import.meta.url).href
const packages = new Map<string, ResolveFnOutput>()
const cache = getCompileCacheDir()
const stripped = cache === undefined ? undefined : new StrippedSources(`${cache}/stripped-sources`)

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
  load(url, context, next) {
    if (stripped === undefined || !url.startsWith(SOURCES) || !url.endsWith('.ts')) return next(url, context)
    try {
      return { format: 'module', source: stripped.textOf(fileURLToPath(url)), shortCircuit: true }
    } catch {
      // Node says what is wrong with the source.
      return next(url, context)
    }
  },
})

if (stripped) {
  // A server may be killed, so that its end is not waited for.
  setTimeout(() => stripped.save(), 1500).unref()
  process.once('exit', () => stripped.save())
}

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
