// The licences of the packages whose code is in a bundle, as one text. A package without one must not be bundled.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string
}

export function thirdPartyLicences(modules: Iterable<string>): string {
  const folders = new Set([...modules].filter((id) => id.includes('/node_modules/')).map(packageFolder))
  const texts = [...folders].map((folder) => {
    const { name, version, license } = readManifest(folder)
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    if (file === undefined || license === undefined) throw new Error(`${folder} is bundled and has no licence`)
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  const rule = `\n${'-'.repeat(80)}\n\n`
  return `The files of this package contain code of the following packages.\n${rule}${texts.sort().join(rule)}`
}

/** The nearest folder above whose package.json has a name; others only say which kind of modules they hold. */
function packageFolder(module: string): string {
  let folder = dirname(module)
  while (!existsSync(join(folder, 'package.json')) || readManifest(folder).name === undefined) folder = dirname(folder)
  return folder
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
