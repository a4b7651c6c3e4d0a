// Builds a command as one package without dependencies. What a verb does not need stays in chunks of its own. The same sources
// give the same bytes.

import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputChunk } from 'rolldown'
import { BUNDLED } from './bundled-packages.ts'
import type { StartRoots } from './start-chunks.ts'
import { thirdPartyLicences } from './third-party-licences.ts'
import { writeCode } from './write-code.ts'

const root = join(import.meta.dirname, '../..')
const source = (file: string) => join(root, 'packages', file)

const START: StartRoots = {
  main: source('cli/src/main.ts'),
  verb: source('cli/src/verbs/up.ts'),
  threads: [source('store/src/sqlite/thread.ts')],
  serverVerbs: [source('cli/src/verbs/dev.ts'), source('cli/src/verbs/demo.ts')],
}

/** Replaces the folder. `path` is one of those in BUNDLED; its program is src/main.ts. Answers the files of code. */
export async function buildBundle(folder: string, path = 'packages/cli'): Promise<readonly OutputChunk[]> {
  const name = BUNDLED[path]
  if (name === undefined) throw new Error(`${path} is not published as a bundle`)
  const bin = `lib/${name}.js`
  const page = path === 'packages/cli' ? buildPage() : []
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const chunks = await writeCode({
    entries: { [name]: join(root, path, 'src/main.ts') },
    folder: join(folder, 'lib'),
    // Of whoever traces, and only if it is there.
    external: ['@opentelemetry/api'],
    maps: 'texts',
    start: path === 'packages/cli' ? START : undefined,
  })
  chmodSync(join(folder, bin), 0o755)
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), thirdPartyLicences([...modules, ...page]))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(path, name, bin), undefined, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  return chunks
}

/** The dashboard's page, which the command carries as one file. Answers the modules that are in it. */
function buildPage(): readonly string[] {
  const folder = join(root, 'packages/dashboard/page')
  execFileSync(process.execPath, [join(folder, 'build.ts')], { stdio: ['ignore', 'inherit', 'inherit'] })
  return JSON.parse(readFileSync(join(folder, 'dist/modules.json'), 'utf8')) as readonly string[]
}

/** The documents of ColonyOS call the command by this name. */
const ALIAS = 'colonies'

function manifest(path: string, name: string, bin: string): object {
  const { version, description, license, engines } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { [name]: bin, ...(name === 'homeostat' && { [ALIAS]: bin }) },
  }
}
