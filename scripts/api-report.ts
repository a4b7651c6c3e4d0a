// The public API of each package as text: the names that its entries export, with their signatures.
// packages/NAME/api-report.md holds it, so that a review shows every change of the API. check.ts compares it,
// write-api-report.ts writes it.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { type Declarations, readDeclarations } from './declarations.ts'
import { exportedNames } from './exported-names.ts'
import { isGenerated } from './file-size.ts'
import { type Manifest, publicEntries } from './packages.ts'

/** Arguments of tsc: type-checks the project and writes its declarations into the folder. */
export function declarationArguments(folder: string): string[] {
  return ['-p', '.', '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
}

export function checkApiReports(
  root: string,
  reports: ReadonlyMap<string, string>,
): { problems: string[]; seen: string } {
  const stale = [...reports].filter(([path, text]) => readIfThere(join(root, path)) !== text)
  return {
    problems: stale.map(([path]) => `${path}: is not what the package exports; \`npm run api-report\` writes it`),
    seen: `${reports.size} reports`,
  }
}

/** The reports by path, made from the declarations that tsc wrote into the folder. */
export function apiReports(
  root: string,
  declarations: string,
  manifests: ReadonlyMap<string, Manifest>,
): Map<string, string> {
  const read = (path: string) =>
    readDeclarations(readFileSync(join(declarations, path.replace(/\.ts$/, '.d.ts')), 'utf8'))
  // A package that is only a command has nothing to import.
  const packages = [...manifests].filter(
    ([folder, manifest]) => folder.startsWith('packages/') && publicEntries(root, folder, manifest).length > 0,
  )
  return new Map(
    packages.map(([folder, manifest]) => {
      const entries = publicEntries(root, folder, manifest).map(([name, path]) => {
        const source = readFileSync(join(root, path), 'utf8')
        const names = exportedNames(source)
        const signatures = names.flatMap((exported) => signaturesOf(read, path, exported))
        return isGenerated(source)
          ? namesOnly(name, names)
          : `## ${name}\n\n\`\`\`ts\n${signatures.join('\n')}\n\`\`\`\n`
      })
      return [`${folder}/api-report.md`, [title(manifest.name), ...entries].join('\n')]
    }),
  )
}

/** The declarations of an exported name, wherever in the package they are. */
export function signaturesOf(read: (path: string) => Declarations, path: string, name: string): readonly string[] {
  const { declared, others } = read(path)
  const own = declared.get(name)
  if (own !== undefined) return own
  const origin = others.get(name)
  if (origin === undefined) throw new Error(`${path}: no declaration of ${name}; name it where it is exported`)
  if (origin.name !== name) return [`export { ${origin.name} as ${name} } from '${origin.from}'`]
  if (!origin.from.startsWith('.')) return [`export { ${name} } from '${origin.from}'`]
  return signaturesOf(read, normalize(join(dirname(path), origin.from)), name)
}

function title(name: string): string {
  return `# API of ${name}\n\nWritten by \`npm run api-report\`. A change of this file is a change of what users can import.\n`
}

function namesOnly(entry: string, names: readonly string[]): string {
  return `## ${entry}\n\nGenerated types: ${names.join(', ')}\n`
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
