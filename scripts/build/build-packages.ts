// Builds the libraries. The code of a package is a file for each of its entries and chunks that they share, because Node takes half
// a millisecond for each module that it loads; the declarations are a file for each source that they need, as tsc writes them. Tests
// and fixtures are left out, since no entry reaches them. The command is a bundle of its own (scripts/bundle).

import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { thirdPartyLicences } from '../bundle/third-party-licences.ts'
import { writeCode } from '../bundle/write-code.ts'
import { importsOf } from '../imports-of.ts'
import { type Manifest, publicEntries } from '../packages.ts'
import { entryFiles } from './entry-files.ts'
import { finishDeclarations } from './finish-declarations.ts'
import { INLINED } from './inlined-packages.ts'
import { reachableDeclarations } from './reachable-declarations.ts'

export interface BuildOptions {
  /** Whether source maps, which name the sources, lie beside the code. */
  readonly maps: boolean
}

/**
 * Builds `packages`, manifests by folder (`packages/meta`), into `FOLDER/NAME/dist`, which it replaces. Answers the number of files
 * of code.
 */
export async function buildPackages(
  root: string,
  packages: ReadonlyMap<string, Manifest>,
  folder: string,
  { maps }: BuildOptions,
): Promise<number> {
  let files = 0
  for (const [path, manifest] of packages) {
    const target = join(folder, basename(path), 'dist')
    rmSync(target, { recursive: true, force: true })
    const entries = [...entryFiles(root, path, manifest)].map(([name, file]) => [name, join(root, file)] as const)
    const inlined = INLINED[path] ?? []
    const chunks = await writeCode({
      entries: Object.fromEntries(entries),
      folder: target,
      external: (id) => !/^[./]/.test(id) && !inlined.includes(id),
      maps: maps ? 'names' : 'none',
      library: true,
    })
    files += chunks.length
    const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
    if (inlined.length > 0) writeFileSync(join(target, 'THIRD-PARTY-LICENCES.txt'), thirdPartyLicences(modules))
  }
  writeDeclarations(root, packages, folder)
  return files
}

function writeDeclarations(root: string, packages: ReadonlyMap<string, Manifest>, folder: string): void {
  const emitted = mkdtempSync(join(tmpdir(), 'homeostat-declarations-'))
  try {
    const entries = [...packages].flatMap(([path, manifest]) => publicEntries(root, path, manifest))
    runTsc(root, entries, emitted)
    const finished = (file: string) => finishDeclarations(readFileSync(join(emitted, file), 'utf8'), file)
    const roots = entries.map(([, source]) => relative('packages', source).replace(/\.ts$/, '.d.ts'))
    for (const file of reachableDeclarations(roots, finished)) {
      const code = finished(file)
      refuseInlined(file, code)
      const target = join(folder, file.replace('/src/', '/dist/'))
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, code)
    }
  } finally {
    rmSync(emitted, { recursive: true })
  }
}

function refuseInlined(file: string, code: string): void {
  const inlined = INLINED[join('packages', file.split('/')[0] ?? '')] ?? []
  const named = importsOf(code).find((name) => inlined.includes(name))
  if (named !== undefined)
    throw new Error(`${file} needs the types of ${named}, which is not installed with the library`)
}

/**
 * Runs tsc once for all packages. They import each other by `paths` and not through the links in node_modules: of sources that it
 * finds there, tsc 7.0 leaves out a few, and others each time.
 */
function runTsc(root: string, entries: readonly (readonly [string, string])[], folder: string): void {
  const config = join(folder, 'tsconfig.json')
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noEmitOnError: true,
      emitDeclarationOnly: true,
      declaration: true,
      rootDir: join(root, 'packages'),
      outDir: folder,
      paths: Object.fromEntries(entries.map(([name, file]) => [name, [join(root, file)]])),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [],
    files: [...entries.map(([, file]) => file), ...globSync('packages/*/src/**/*.d.ts', { cwd: root })].map((file) =>
      join(root, file),
    ),
  }
  writeFileSync(config, JSON.stringify(options))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' })
}
