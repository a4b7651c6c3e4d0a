// `npm run image [-- FILE]`: builds a container image for `docker load` without a network: the bundled command, this machine's Node and
// the libraries that it is linked with, and nothing else. Linux alone. By default dist/homeostat-image.tar.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { buildBundle } from './bundle/build-bundle.ts'

/** A user that exists on no machine, so that a file it owns belongs to nobody outside. */
const USER = 65_532
const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string }
const file = resolve(process.argv[2] ?? join(root, 'dist/homeostat-image.tar'))

if (process.platform !== 'linux')
  throw new Error("an image can be built on Linux alone: it has this machine's Node in it")
const work = mkdtempSync(join(tmpdir(), 'homeostat-image-'))
try {
  await makeFiles(join(work, 'files'))
  writeImage(work)
  console.log(`${relative('', file)}: docker load -i FILE, then docker run homeostat:${version} --help`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function makeFiles(files: string): Promise<void> {
  await buildBundle(join(files, 'opt/homeostat'))
  const node = realpathSync(process.execPath)
  place(node, join(files, 'usr/local/bin/node'))
  chmodSync(join(files, 'usr/local/bin/node'), 0o755)
  for (const library of librariesOf(node)) place(realpathSync(library), join(files, library))
  write(join(files, 'etc/passwd'), `homeostat:x:${USER}:${USER}::/data:/bin/false\n`)
  write(join(files, 'etc/group'), `homeostat:x:${USER}:\n`)
  mkdirSync(join(files, 'tmp'))
  chmodSync(join(files, 'tmp'), 0o1777)
  mkdirSync(join(files, 'data'), { mode: 0o700 })
}

/** The absolute paths in what the loader says, e.g. `libm.so.6 => /lib/libm.so.6 (0x…)`. */
function librariesOf(program: string): string[] {
  const said = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...said.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
}

/** The format of `docker save`: one layer, its configuration, and a manifest that names both. */
function writeImage(folder: string): void {
  const files = join(folder, 'files')
  const layer = join(folder, 'layer.tar')
  const common = ['--sort=name', '--mtime=@0', '--numeric-owner', '-C', files, '-f', layer]
  execFileSync('tar', ['-c', '--owner=0', '--group=0', '--exclude=./data', ...common, '.'])
  execFileSync('tar', ['-r', `--owner=${USER}`, `--group=${USER}`, ...common, './data'])
  const digest = createHash('sha256').update(readFileSync(layer)).digest('hex')
  const config = {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    created: new Date(0).toISOString(),
    config: {
      User: `${USER}:${USER}`,
      WorkingDir: '/data',
      Env: ['PATH=/usr/local/bin', 'HOME=/data', 'HOMEOSTAT_DATA=/data'],
      Entrypoint: ['/usr/local/bin/node', '/opt/homeostat/lib/homeostat.js'],
      Cmd: ['up'],
      ExposedPorts: { '6443/tcp': {} },
      Volumes: { '/data': {} },
      Labels: { 'org.opencontainers.image.version': version },
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
    history: [{ created: new Date(0).toISOString(), created_by: 'scripts/image.ts' }],
  }
  write(join(folder, 'config.json'), JSON.stringify(config))
  const manifest = [{ Config: 'config.json', RepoTags: [`homeostat:${version}`], Layers: ['layer.tar'] }]
  write(join(folder, 'manifest.json'), JSON.stringify(manifest))
  mkdirSync(dirname(file), { recursive: true })
  execFileSync('tar', ['-c', '-C', folder, '-f', file, 'manifest.json', 'config.json', 'layer.tar'])
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  if (!existsSync(to)) copyFileSync(from, to)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
