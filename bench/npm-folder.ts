// Installs packages that only the bench or the tests with real clients use, on demand, into folders of their own.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Installs the folder's package.json, unless that package is installed already. */
export function installIn(folder: URL, aPackage: string): void {
  const cwd = fileURLToPath(folder)
  if (existsSync(`${cwd}/node_modules/${aPackage}`)) return
  const args = ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts']
  execFileSync('npm', args, { cwd, stdio: 'ignore' })
}
