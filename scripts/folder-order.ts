// Checks the import order inside a package: a folder may import the folders listed before it under `order` in
// import-rules.json. A file directly in src/ may be on the list, too; one that is not (index.ts, other entries) may
// import all folders, and no folder may import it. Tests are exempt.

import type { Rules } from './import-direction.ts'
import { importedFile, type Modules } from './modules.ts'

export function checkFolderOrder(modules: Modules, rules: Rules): { problems: string[]; seen: string } {
  const isTest = new RegExp(rules.tests.files)
  const sources = [...modules].filter(([path]) => !isTest.test(path))
  const packages = Object.entries(rules.folders).filter(([folder]) => folder.startsWith('packages/'))
  const problems = packages.flatMap(([folder, { order = [] }]) => {
    const src = `${folder}/src/`
    return orderProblems(src, order, new Map(sources.filter(([path]) => path.startsWith(src))))
  })
  return { problems, seen: `${packages.length} packages` }
}

/** The problems of the list itself, and of the imports of modules below `src`. */
export function orderProblems(src: string, order: readonly string[], modules: Modules): string[] {
  const placeOf = (path: string) => path.slice(src.length).split('/')[0] ?? ''
  const present = new Set([...modules.keys()].map(placeOf))
  const folders = [...present].filter((place) => !place.includes('.'))
  if (order.length === 0 && folders.length > 0) return [`${src}: its folders have no order in import-rules.json`]
  const unplaced = folders.filter((place) => !order.includes(place))
  const gone = order.filter((place) => !present.has(place))
  const upward = [...modules].flatMap(([path, specifiers]) =>
    specifiers
      .filter((specifier) => {
        if (!specifier.startsWith('.')) return false
        const file = importedFile(path, specifier)
        // Files outside src/ (package.json) have no place in the order.
        return file.startsWith(src) && goesUp(order, placeOf(path), placeOf(file))
      })
      .map((specifier) => `${path}: import '${specifier}': ${placeOf(path)} stands below it in import-rules.json`),
  )
  return [
    ...unplaced.map((place) => `${src}${place}: has no place in the order of import-rules.json`),
    ...gone.map((place) => `${src}${place}: is in the order of import-rules.json and does not exist`),
    ...upward,
  ]
}

function goesUp(order: readonly string[], from: string, to: string): boolean {
  if (from === to || !order.includes(from)) return false
  return !order.includes(to) || order.indexOf(to) > order.indexOf(from)
}
