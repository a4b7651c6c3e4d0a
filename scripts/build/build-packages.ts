// Builds the libraries: a file of JavaScript for each source that a package's entries reach, with its declarations. Tests and
// fixtures are left out because no entry reaches them. The command is a bundle (scripts/bundle).

import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Manifest, publicEntries } from '../packages.ts'
import { placedPaths } from '../placed-expression.ts'
import { finishCode, finishDeclarations, finishMap } from './emitted-code.ts'

interface Target {
  /** `NAME/dist` in it is replaced. */
  readonly folder: string
  /** Whether source maps, with the sources inside, lie beside the code. */
  readonly maps: boolean
}

/** Builds `packages`: manifests by folder, e.g. `packages/meta`. Answers the number of files of code. */
export function buildPackages(root: string, packages: ReadonlyMap<string, Manifest>, { folder, maps }: Target): number {
  const entries = [...packages].flatMap(([path, manifest]) => publicEntries(root, path, manifest))
  const commands = [...packages].flatMap(([path, { bin = {} }]) => Object.values(bin).map((file) => join(path, file)))
  const placed = placedFiles(root, packages)
  const emitted = mkdtempSync(join(tmpdir(), 'homeostat-build-'))
  try {
    emit(root, entries, [...commands, ...placed.filter((file) => file.endsWith('.ts'))], { folder: emitted, maps })
    for (const path of packages.keys())
      rmSync(join(folder, relative('packages', path), 'dist'), { recursive: true, force: true })
    const files = globSync('*/src/**/*.{js,ts,map}', { cwd: emitted }).sort()
    for (const file of files)
      write(join(folder, built(file)), finished(readFileSync(join(emitted, file), 'utf8'), file))
    // Tables beside the sources; a package names those elsewhere in `files`.
    for (const file of placed.filter((one) => one.includes('/src/') && !one.endsWith('.ts')))
      write(join(folder, built(relative('packages', file))), readFileSync(join(root, file)))
    return files.filter((file) => file.endsWith('.js')).length
  } finally {
    rmSync(emitted, { recursive: true })
  }
}

/** `NAME/src/x.js` is `NAME/dist/x.js` in a package. */
export function built(file: string): string {
  return file.replace(/(^|\/)src\//, '$1dist/')
}

/** Files that some source finds by its place: threads, programs and tables. */
function placedFiles(root: string, packages: ReadonlyMap<string, Manifest>): string[] {
  const sources = [...packages.keys()].flatMap((path) =>
    globSync(`${path}/src/**/*.ts`, { cwd: root, exclude: ['**/*.test.ts', '**/*.fixture.ts'] }),
  )
  const found = sources.flatMap((source) =>
    placedPaths(readFileSync(join(root, source), 'utf8')).map((placed) => join(dirname(source), placed)),
  )
  return [...new Set(found)].sort()
}

/**
 * Runs tsc once for all packages. They import each other by `paths` and not through the links in node_modules: of sources that it
 * finds there, tsc 7.0 leaves out a few, and others each time.
 */
function emit(
  root: string,
  entries: readonly (readonly [string, string])[],
  files: readonly string[],
  { folder, maps }: Target,
): void {
  const config = join(folder, 'tsconfig.json')
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noEmitOnError: true,
      rootDir: join(root, 'packages'),
      outDir: folder,
      paths: Object.fromEntries(entries.map(([name, file]) => [name, [join(root, file)]])),
      typeRoots: [join(root, 'node_modules/@types')],
      declaration: true,
      sourceMap: maps,
      inlineSources: maps,
    },
    include: [],
    files: [...entries.map(([, file]) => file), ...files, ...globSync('packages/*/src/**/*.d.ts', { cwd: root })].map(
      (file) => join(root, file),
    ),
  }
  writeFileSync(config, JSON.stringify(options))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' })
}

function finished(text: string, file: string): string {
  if (file.endsWith('.d.ts')) return finishDeclarations(text, file)
  if (file.endsWith('.js')) return finishCode(text, file)
  return finishMap(text, relative(dirname(built(file)), file.replace(/\.js\.map$/, '.ts')))
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
