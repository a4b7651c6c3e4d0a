// Writes a version into every package and into what they want of each other. The lock file follows by itself.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/

export function setVersion(root: string, folders: Iterable<string>, version: string): void {
  if (!VERSION.test(version)) throw new Error(`${version} is not a version, such as 0.2.0 or 0.2.0-rc.1`)
  for (const folder of folders) {
    const file = join(root, folder, 'package.json')
    writeFileSync(file, versioned(readFileSync(file, 'utf8'), version))
  }
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--loglevel=error'], { cwd: root })
}

/** The text of a package.json in the version, with nothing else changed. */
export function versioned(text: string, version: string): string {
  return text.replace(/^( {2}"version"| {4}"@homeostat\/[\w-]+"): "\d[^"]*"/gm, `$1: "${version}"`)
}
