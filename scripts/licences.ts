// Checks that every installed package has a licence that this project may be built and published with. The lists are the
// policy: a package that needs another licence is a decision for docs/adr/0002-dependencies.md.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of anything that is published or runs. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
])
/** Of tools that are used and not shipped, besides. */
const ALLOWED_TOOLS: ReadonlySet<string> = new Set(['MPL-2.0', 'CC-BY-4.0', 'Python-2.0'])

interface Installed {
  readonly license?: unknown
  readonly dev?: boolean
  /** A tool needs it, or something that may do without: neither is shipped. */
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly link?: boolean
}

export function checkLicences(root: string): { problems: string[]; seen: string } {
  const installed: { packages: Readonly<Record<string, Installed>> } = JSON.parse(
    readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8'),
  )
  const packages = Object.entries(installed.packages).filter(([, { link }]) => !link)
  const own = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')).license as unknown
  const problems = packages.flatMap(([path, { license, dev = false, devOptional = false, optional = false }]) =>
    licenceProblem(path, license ?? own(path), dev || devOptional || optional),
  )
  return { problems, seen: `${packages.length} packages` }
}

export function licenceProblem(path: string, licence: unknown, isTool: boolean): string[] {
  if (typeof licence !== 'string' || licence === '') return [`${path} names no licence`]
  if (isAllowed(licence, isTool)) return []
  return [`${path} has the licence ${licence}, which scripts/licences.ts does not allow`]
}

/** SPDX: one of `A OR B` suffices, all of `A AND B` are needed. No package here nests them. */
function isAllowed(licence: string, isTool: boolean): boolean {
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one) || (isTool && ALLOWED_TOOLS.has(one))))
}
