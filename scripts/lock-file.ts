// Checks that package-lock.json pins every package by version and checksum and contains no download URL, so that any
// registry works.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
}

export function checkLockFile(root: string): { problems: string[]; seen: string } {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const packages: Record<string, LockedPackage> = lock.packages
  return { problems: lockProblems(packages), seen: `${Object.keys(packages).length} packages` }
}

export function lockProblems(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages).flatMap(([path, { version, integrity, resolved, link }]) => {
    if (!path.includes('node_modules/') || link) return []
    if (version === undefined || integrity === undefined) return [`${path} has no version or no integrity`]
    return resolved?.startsWith('http') ? [`${path} names the download address ${resolved}`] : []
  })
}
