// Loads the sources with less of Node's work per file, a third of the start-up time. Imports are resolved without the disk: the
// sources give exact file names, and each package resolves to one folder. Their texts without types come from one file
// (stripped-sources.ts). bootstrap.mjs preloads it before the command; a bundle does not need it.

import { getCompileCacheDir, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { PackageEntries } from './package-entries.ts'
import { StrippedSources } from './stripped-sources.ts'

const SOURCES = new URL('../packages/', import.meta.url).href
const FOLDER = fileURLToPath(SOURCES)
const entries = new PackageEntries(FOLDER)
const cache = getCompileCacheDir()
const stripped = cache === undefined ? undefined : new StrippedSources(`${cache}/quick-sources`)

registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL
    if (!from?.startsWith(SOURCES)) return next(specifier, context)
    if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin', shortCircuit: true }
    if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
      return { url: joined(from, specifier), format: 'module-typescript', shortCircuit: true }
    }
    if (!specifier.startsWith('@homeostat/')) return next(specifier, context)
    const entry = entries.sourceOf(specifier.slice('@homeostat/'.length))
    if (entry === undefined) return next(specifier, context)
    return { url: SOURCES + entry, format: 'module-typescript', shortCircuit: true }
  },
  load(url, context, next) {
    if (stripped === undefined || !url.startsWith(SOURCES) || !url.endsWith('.ts')) return next(url, context)
    try {
      return { format: 'module', source: stripped.textOf(pathOf(url)), shortCircuit: true }
    } catch {
      // Node says what is wrong with the source.
      return next(url, context)
    }
  },
})

if (stripped) {
  // A server may be killed, so that its end is not waited for.
  setTimeout(() => {
    stripped.save()
    stripped.forget()
  }, 1500).unref()
  process.once('exit', () => stripped.save())
}

/** Equals `fileURLToPath(url)`, without parsing it: only the folder of the clone may have characters that are escaped. */
function pathOf(url: string): string {
  const inside = url.slice(SOURCES.length)
  return inside.includes('%') || inside.includes('?') ? fileURLToPath(url) : FOLDER + inside
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
