// Builds the page into dist/page.pack, which the site serves, unless that is newer than the sources. Installs what the page needs when the lock file has changed: none
// of it is part of the repository's own install. Run by the site in a clone, by the bundle, and by tests.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { newestSource } from '../src/files/newest-source.ts'
import { packFiles } from '../src/files/packed-files.ts'

const folder = import.meta.dirname
const lock = join(folder, 'package-lock.json')
const installed = join(folder, 'node_modules/.package-lock.json')
const built = join(folder, 'dist/files')

const pack = join(folder, 'dist/page.pack')

if (existsSync(pack) && statSync(pack).mtimeMs >= newestSource(folder)) process.exit(0)
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  console.log('installing what the page is made of …')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
}
console.log('building the page …')
rmSync(built, { recursive: true, force: true })
run(process.execPath, [join(folder, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'])
const files = new Map(filesIn(built).map((file) => [relative(built, file), readFileSync(file)]))
mkdirSync(join(folder, 'dist'), { recursive: true })
// Whole or not at all: a server may read it at any time.
writeFileSync(`${pack}.new`, packFiles(files))
renameSync(`${pack}.new`, pack)
console.log(`built ${files.size} files`)

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)],
  )
}
