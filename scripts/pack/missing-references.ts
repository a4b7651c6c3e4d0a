// The files that the code of a staged package refers to and that are not in it: imported modules, their declarations, threads and
// tables. Staging refuses such a package.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importsOf } from '../imports-of.ts'
import { placedPaths } from '../placed-expression.ts'

/** As `FILE refers to PATH`. */
export function missingReferences(folder: string): string[] {
  return globSync('dist/**/*.{js,d.ts}', { cwd: folder }).flatMap((file) => {
    const code = readFileSync(join(folder, file), 'utf8')
    const imported = importsOf(code).filter((path) => path.startsWith('.'))
    const paths = file.endsWith('.d.ts')
      ? imported.map((path) => path.replace(/\.js$/, '.d.ts'))
      : [...imported, ...placedPaths(code)]
    const missing = paths.filter((path) => !existsSync(join(folder, dirname(file), path)))
    return missing.map((path) => `${file} refers to ${path}`)
  })
}
