// Writes sources as JavaScript: a file for each entry, and shared or late code in chunks beside them. The command and the libraries
// are built with it. Nothing is minified, so that a stack trace can be read. The same sources give the same bytes.

import { dirname, join, relative, resolve } from 'node:path'
import { type OutputChunk, type RolldownOptions, rolldown } from 'rolldown'
import { placedFiles } from './placed-files.ts'

export interface CodeOptions {
  /** The sources by the name of their file, without `.js`. */
  readonly entries: Readonly<Record<string, string>>
  readonly folder: string
  /** What stays an import. */
  readonly external: NonNullable<RolldownOptions['external']>
  /** Whether the maps hold the texts of the sources. */
  readonly sourcesInMaps: boolean
}

const root = join(import.meta.dirname, '../..')

export async function writeCode({ entries, folder, external, sourcesInMaps }: CodeOptions): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    resolve: { conditionNames: ['homeostat-source', 'node', 'import'] },
    external,
    plugins: [placedFiles(join(root, 'packages'), entries)],
    onLog(_level, log) {
      // Late in one entry, early in another: the bundler may do as it likes.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(log.message)
    },
  })
  try {
    const { output } = await bundle.write({
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[name]-[hash].js',
      sourcemap: true,
      sourcemapExcludeSources: !sourcesInMaps,
      // The names of the sources must not depend on where they are built.
      sourcemapPathTransform: (source, map) => relative(root, resolve(dirname(map), source)),
    })
    return output.filter((one) => one.type === 'chunk')
  } finally {
    await bundle.close()
  }
}
