// Makes the tarballs that npm publishes. They come from staged copies: nobody publishes a folder of the clone by mistake. npm
// writes fixed dates and modes into a tarball, so that the same sources give the same bytes.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stagePackages } from './stage-packages.ts'

export interface Tarball {
  readonly name: string
  readonly version: string
  readonly file: string
  /** In bytes. */
  readonly unpackedSize: number
}

/** Writes the tarballs into the folder. Answers them in the order in which they are published. */
export async function packPackages(root: string, folder: string): Promise<Tarball[]> {
  mkdirSync(folder, { recursive: true })
  const staging = mkdtempSync(join(tmpdir(), 'homeostat-pack-'))
  try {
    const staged = await stagePackages(root, staging)
    const options = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', resolve(folder)]
    const output = execFileSync('npm', ['pack', ...options, ...staged.map((one) => one.folder)], { encoding: 'utf8' })
    const packed = JSON.parse(output) as (Omit<Tarball, 'file'> & { filename: string })[]
    return packed.map(({ name, version, filename, unpackedSize }) => ({
      name,
      version,
      file: join(folder, filename),
      unpackedSize,
    }))
  } finally {
    rmSync(staging, { recursive: true })
  }
}
