// Writes sources as JavaScript: a file for each entry, and shared or late code in chunks beside them. The command and the libraries
// are built with it. Names and lines of ours stay, so that a stack trace can be read. The same sources give the same bytes.

import { dirname, join, relative, resolve } from 'node:path'
import { type CodeSplittingGroup, type OutputChunk, type RolldownOptions, rolldown } from 'rolldown'
import { builtinImports } from './builtin-imports.ts'
import { onlyAscii } from './only-ascii.ts'
import { placedFiles } from './placed-files.ts'
import { shortThirdParty, thirdPartyGroup } from './short-third-party.ts'
import { type StartRoots, startChunks } from './start-chunks.ts'
import { withoutIndentation } from './without-indentation.ts'

export interface CodeOptions {
  /** The sources by the name of their file, without `.js`. */
  readonly entries: Readonly<Record<string, string>>
  readonly folder: string
  /** What stays an import. */
  readonly external: NonNullable<RolldownOptions['external']>
  /** Source maps: with the texts of the sources, with their names alone, or none. */
  readonly maps: 'texts' | 'names' | 'none'
  /** Whether others import the code. What it carries of other packages is then in files of their own, and short. */
  readonly library?: boolean
  /** What starts a server, if the code does: it is then in few files. */
  readonly start?: StartRoots | undefined
}

const root = join(import.meta.dirname, '../..')

export async function writeCode(options: CodeOptions): Promise<OutputChunk[]> {
  const { entries, folder, external, maps, library = false, start } = options
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    // For any platform a package gives its ES modules, of which only what is used is taken.
    platform: library ? 'neutral' : 'node',
    resolve: { conditionNames: ['homeostat-source', ...(library ? [] : ['node']), 'import'] },
    external,
    // No line that names the source above each: without maps there is nothing to look up.
    ...(library && { experimental: { attachDebugInfo: 'none' } }),
    // Nobody imports a command, so that its files may export more to each other.
    ...(start && { preserveEntrySignatures: 'allow-extension' }),
    plugins: [
      placedFiles(join(root, 'packages'), entries),
      ...(library ? [shortThirdParty()] : []),
      onlyAscii(),
      // With a map its columns would be wrong.
      ...(library && maps === 'none' ? [withoutIndentation()] : []),
      ...(start ? [builtinImports()] : []),
    ],
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
      // V8 keeps the text of what it loaded. The maps have the sources with their comments, and the licences have a file.
      ...(start && { codeSplitting: { groups: [startGroup(start)] }, comments: false }),
      // What a function does stands in the declarations. Shorter expressions make an install of an operator 3 % smaller.
      ...(library && {
        codeSplitting: { groups: [thirdPartyGroup, sharedGroup] },
        comments: { jsdoc: false },
        minify: { compress: true, mangle: false, codegen: false },
      }),
      sourcemap: maps !== 'none',
      sourcemapExcludeSources: maps === 'names',
      // The names of the sources must not depend on where they are built.
      sourcemapPathTransform: (source, map) => relative(root, resolve(dirname(map), source)),
    })
    return output.filter((one) => one.type === 'chunk')
  } finally {
    await bundle.close()
  }
}

/** What entries share is one file: Node takes longer for a file than for a few functions that nobody calls. */
const sharedGroup: CodeSplittingGroup = { debugName: 'shared', name: 'shared', minShareCount: 2 }

function startGroup(start: StartRoots): CodeSplittingGroup {
  let chunkOf: ReturnType<typeof startChunks> | undefined
  return {
    debugName: 'start',
    includeDependenciesRecursively: false,
    name(module, context) {
      chunkOf ??= startChunks(start, (one) => context.getModuleInfo(one) ?? NO_IMPORTS)
      return chunkOf(module)
    },
  }
}

/** Of modules that are Node's own. */
const NO_IMPORTS = { importedIds: [], dynamicallyImportedIds: [] }
