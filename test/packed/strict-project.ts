// What a project has into which a stranger copies an example: strict settings of TypeScript, and the dependencies that the example names.

export const strictSettings = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['**/*.ts'],
  exclude: ['node_modules'],
}

/** As npm installs them. Packages of this house have the version that was packed. */
export function withVersions(dependencies: Readonly<Record<string, string>>): string[] {
  return Object.entries(dependencies).map(([name, version]) =>
    name.startsWith('@homeostat/') ? name : `${name}@${version}`,
  )
}
