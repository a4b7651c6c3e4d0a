// Builds the `homeostat` command as one package without dependencies. What a verb does not need stays in chunks of its own.
// The same sources give the same bytes.

import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { placedFiles } from './placed-files.ts'
import { thirdPartyLicences } from './third-party-licences.ts'

const root = join(import.meta.dirname, '../..')
const packages = join(root, 'packages')
const entries = { homeostat: join(packages, 'cli/src/main.ts') }

/** Replaces the folder. Answers the files of code. */
export async function buildBundle(folder: string): Promise<readonly OutputChunk[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const chunks = await writeCode(join(folder, 'lib'))
  chmodSync(join(folder, BIN), 0o755)
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), thirdPartyLicences(modules))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  return chunks
}

const BIN = 'lib/homeostat.js'

async function writeCode(folder: string): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    resolve: { conditionNames: ['homeostat-source', 'node', 'import'] },
    // Of whoever traces, and only if it is there.
    external: ['@opentelemetry/api'],
    plugins: [placedFiles(packages, entries)],
    onLog(_level, log) {
      throw new Error(log.message)
    },
  })
  try {
    const { output } = await bundle.write({
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[name]-[hash].js',
      sourcemap: true,
      // The texts are in the maps; their names must not depend on where the bundle is built.
      sourcemapPathTransform: (source, map) => relative(root, resolve(dirname(map), source)),
    })
    return output.filter((one) => one.type === 'chunk')
  } finally {
    await bundle.close()
  }
}

function manifest(): object {
  const { version, license, engines } = JSON.parse(readFileSync(join(packages, 'cli/package.json'), 'utf8'))
  return {
    name: 'homeostat',
    version,
    description: 'A control plane for custom resources that speaks the Kubernetes API.',
    license,
    type: 'module',
    engines,
    bin: { homeostat: BIN },
  }
}
