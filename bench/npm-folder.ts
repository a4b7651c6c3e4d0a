// Packages that only the bench or the tests with real clients use live in folders of their own, installed when needed.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Installs what the folder's package.json asks for, unless that package is there. */
export function installIn(folder: URL, aPackage: string): void {
  const cwd = fileURLToPath(folder)
  if (existsSync(`${cwd}/node_modules/${aPackage}`)) return
  const args = ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts']
  execFileSync('npm', args, { cwd, stdio: 'ignore' })
}
