// Checks that every import between packages is allowed by import-rules.json, the only place that defines the direction.

import { importedFile, type Modules } from './modules.ts'

interface Rule {
  /** Packages of this repository that it may import, without their scope. */
  readonly packages: readonly string[]
  /** Packages that its tests may import in addition. */
  readonly tests?: readonly string[]
  /** Modules of Node that it may import; true for all. */
  readonly node: true | readonly string[]
  /** The folders of src/ from the bottom layer up; see folder-order.ts. */
  readonly order?: readonly string[]
  /** Subfolders, such as a separate entry, that may import more. */
  readonly parts?: Readonly<Record<string, Rule>>
}

export interface Rules {
  readonly folders: Readonly<Record<string, Rule>>
  /** Packages that the tests of a folder may import in addition, with all of Node. */
  readonly tests: { readonly files: string; readonly npm: readonly string[] }
}

export function checkImports(modules: Modules, rules: Rules): { problems: string[]; seen: string } {
  const imports = [...modules].flatMap(([path, specifiers]) =>
    specifiers.map((specifier) => [path, specifier] as const),
  )
  const problems = imports.flatMap(([path, specifier]) => {
    const problem = judgeImport(rules, path, specifier)
    return problem === undefined ? [] : [`${path}: import '${specifier}': ${problem}`]
  })
  return { problems, seen: `${imports.length} imports in ${modules.size} modules` }
}

/** The reason why the import is forbidden; undefined when it is allowed. */
export function judgeImport(rules: Rules, path: string, specifier: string): string | undefined {
  const folder = folderOf(path)
  const whole = rules.folders[folder]
  if (whole === undefined) return `import-rules.json says nothing about ${folder}`
  const rule = partOf(whole, path)
  const isTest = new RegExp(rules.tests.files).test(path)
  if (specifier.startsWith('.')) {
    const target = importedFile(path, specifier)
    if (folderOf(target) !== folder) return `a relative import may not leave ${folder}`
    return /\.(ts|mjs|json)$/.test(target) ? undefined : 'a relative import needs its file extension'
  }
  if (specifier.startsWith('node:')) {
    if (isTest || rule.node === true || rule.node.includes(specifier)) return undefined
    return `${folder} may import ${rule.node.join(', ') || 'nothing'} of Node`
  }
  const name = specifier.replace('@homeostat/', '').split('/')[0] ?? ''
  if (specifier.startsWith('@homeostat/') || Object.hasOwn(rules.folders, `packages/${name}`)) {
    const allowed = [...rule.packages, ...((isTest && whole.tests) || [])]
    if (allowed.includes(name) || folder === `packages/${name}`) return undefined
    return `${folder} may import ${allowed.join(', ') || 'no other package'}`
  }
  if (!isTest && rules.tests.npm.includes(specifier.split('/')[0] ?? '')) return 'only tests may import it'
  return undefined
}

/** The folder's rule, with the additions of the subfolder that holds the file. */
function partOf(whole: Rule, path: string): Rule {
  const part = Object.entries(whole.parts ?? {}).find(([folder]) => path.startsWith(`${folder}/`))?.[1]
  if (part === undefined) return whole
  const node = whole.node === true || part.node === true ? true : [...whole.node, ...part.node]
  return { packages: [...whole.packages, ...part.packages], node }
}

/** `packages/meta/src/x.ts` belongs to `packages/meta`, `examples/a/b.ts` to `examples`, `test/x.ts` to `test`. */
function folderOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'packages' ? `${first}/${second}` : first
}
