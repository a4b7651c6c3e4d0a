// `npm run release -- [--dry-run] [--version X.Y.Z]`: packs every package, has the tarballs checked, and shows what would be published
// and in which order. Without --dry-run it also writes the version and the changelog, for a person to commit and tag; the tag
// publishes (.github/workflows/release.yml). It never publishes.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkLockstep, repositoryVersion } from './lockstep.ts'
import { packPackages, type Tarball } from './pack/pack-packages.ts'
import { readManifests } from './packages.ts'
import { releaseChangelog } from './release/changelog.ts'
import { setVersion } from './release/set-version.ts'

const root = join(import.meta.dirname, '..')
const changelog = join(root, 'CHANGELOG.md')
/** Each gets a tarball and fails when users would have trouble with it. Packages are ES modules only. */
const checkers: Record<string, readonly [program: string, ...args: string[]]> = {
  publint: ['publint', 'run', '--strict'],
  'are the types wrong': ['attw', '--profile', 'esm-only', '--quiet'],
}

const { dryRun, version } = readOptions()
const { text, section } = releaseChangelog(
  readFileSync(changelog, 'utf8'),
  version,
  new Date().toISOString().slice(0, 10),
)
if (!dryRun) setVersion(root, [...readManifests(root).keys()].filter(isPackage), version)
const { problems } = checkLockstep(readManifests(root))
const folder = mkdtempSync(join(tmpdir(), 'homeostat-release-'))
try {
  const tarballs = await packPackages(root, folder)
  problems.push(...tarballs.flatMap(check))
  if (problems.length > 0) throw new Error(`not fit to be published:\n${problems.join('\n')}`)
  console.log(`${dryRun ? 'would be' : 'is to be'} published, in this order:`)
  for (const one of tarballs)
    console.log(`  ${one.name} ${version}, ${Math.round(one.unpackedSize / 1024)} KiB unpacked`)
  console.log(`\n${section}`)
} finally {
  rmSync(folder, { recursive: true })
}
if (!dryRun) {
  writeFileSync(changelog, text)
  console.log(
    `Look at the changes, then: git commit -am 'Release ${version}' && git tag v${version} && git push --tags`,
  )
}

function readOptions(): { dryRun: boolean; version: string } {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, version: { type: 'string' } } })
  return { dryRun: values['dry-run'] === true, version: values.version ?? repositoryVersion(readManifests(root)) }
}

function isPackage(path: string): boolean {
  return path.startsWith('packages/')
}

function check({ file }: Tarball): string[] {
  return Object.entries(checkers).flatMap(([name, [program, ...args]]) => {
    const command = [join(root, 'node_modules/.bin', program), ...args, file]
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    return status === 0 ? [] : [`${basename(file)}, ${name}:\n${stdout}${stderr}`]
  })
}
