// Stands in for `node:24-alpine`, since no registry of images is within reach: this machine's Node with its libraries, npm, a busybox
// and the user `node`. It has what the Dockerfile of a template uses; that the real one has it too is not proved by it.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

export const BASE_IMAGE = { repo: 'node', tag: '24-alpine' }
/** Of the user `node`, as in the real one. */
export const NODE_UID = 1000
const APPLETS = ['sh', 'env', 'ls', 'cat', 'mkdir', 'rm', 'chown']

/** Writes the files of the image as a tar, below the folder. Answers its path. Its npm asks the registry. */
export function writeBaseImage(folder: string, registry: string): string {
  const files = join(folder, 'base-image')
  const node = realpathSync(process.execPath)
  place(node, join(files, 'usr/local/bin/node'))
  for (const library of librariesOf(node)) place(realpathSync(library), join(files, library))
  // npm is a folder beside its program: npm/bin/npm-cli.js.
  const npm = dirname(dirname(realpathSync(find('npm'))))
  cpSync(npm, join(files, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(files, 'usr/local/bin/npm'))
  mkdirSync(join(files, 'usr/local/etc'))
  writeFileSync(join(files, 'usr/local/etc/npmrc'), `registry=${registry}\n`)
  place(find('busybox'), join(files, 'bin/busybox'))
  for (const applet of APPLETS) symlinkSync('busybox', join(files, 'bin', applet))
  mkdirSync(join(files, 'usr/bin'))
  symlinkSync('/bin/env', join(files, 'usr/bin/env'))
  mkdirSync(join(files, 'etc'))
  writeFileSync(
    join(files, 'etc/passwd'),
    `root:x:0:0::/root:/bin/sh\nnode:x:${NODE_UID}:${NODE_UID}::/home/node:/bin/sh\n`,
  )
  writeFileSync(join(files, 'etc/group'), `root:x:0:\nnode:x:${NODE_UID}:\n`)
  for (const one of ['tmp', 'root', 'home/node']) mkdirSync(join(files, one), { recursive: true })
  const tar = join(folder, 'base-image.tar')
  execFileSync('tar', ['--owner=0', '--group=0', '-C', files, '-cf', tar, '.'])
  return tar
}

/** The absolute paths in what the loader says, e.g. `libm.so.6 => /lib/libm.so.6 (0x…)`. */
function librariesOf(program: string): string[] {
  const said = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...said.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

/** Programs of the machine, not those that npm put on the path. */
function find(program: string): string {
  const path = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.includes('node_modules'))
  const env = { PATH: path.join(delimiter) }
  return execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8', env }).trim()
}
