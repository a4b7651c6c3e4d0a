// Builds a command as one package without dependencies. What a verb does not need stays in chunks of its own. The same sources
// give the same bytes.

import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { BUNDLED } from './bundled-packages.ts'
import { placedFiles } from './placed-files.ts'
import { thirdPartyLicences } from './third-party-licences.ts'

const root = join(import.meta.dirname, '../..')
const packages = join(root, 'packages')

/** Replaces the folder. `path` is one of those in BUNDLED; its program is src/main.ts. Answers the files of code. */
export async function buildBundle(folder: string, path = 'packages/cli'): Promise<readonly OutputChunk[]> {
  const name = BUNDLED[path]
  if (name === undefined) throw new Error(`${path} is not published as a bundle`)
  const bin = `lib/${name}.js`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const chunks = await writeCode(join(folder, 'lib'), { [name]: join(root, path, 'src/main.ts') })
  chmodSync(join(folder, bin), 0o755)
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), thirdPartyLicences(modules))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(path, name, bin), undefined, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  return chunks
}

async function writeCode(folder: string, entries: Readonly<Record<string, string>>): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    cwd: root,
    input: { ...entries },
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

function manifest(path: string, name: string, bin: string): object {
  const { version, description, license, engines } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  return { name, version, description, license, type: 'module', engines, bin: { [name]: bin } }
}
