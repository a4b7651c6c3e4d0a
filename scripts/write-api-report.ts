// `npm run api-report`: writes packages/NAME/api-report.md for each package. Run it after the exports of a package
// change.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiReports, declarationArguments } from './api-report.ts'
import { readManifests } from './packages.ts'

const root = join(import.meta.dirname, '..')
const declarations = mkdtempSync(join(tmpdir(), 'homeostat-declarations-'))
try {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, ...declarationArguments(declarations)], { cwd: root, stdio: 'inherit' })
  for (const [path, text] of apiReports(root, declarations, readManifests(root))) writeFileSync(join(root, path), text)
} finally {
  rmSync(declarations, { recursive: true })
}
