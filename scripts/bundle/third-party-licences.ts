// The licences of the packages whose code is in a bundle, as one text. A package without one must not be bundled. One that names MIT and its
// author, but has no file, gets the text of that licence.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly author?: string | { readonly name?: string }
}

export function thirdPartyLicences(modules: Iterable<string>): string {
  const folders = new Set([...modules].filter((id) => id.includes('/node_modules/')).map(packageFolder))
  const texts = [...folders].map((folder) => {
    const { name, version, license, author } = readManifest(folder)
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    const text = file === undefined ? mit(license, author) : readFileSync(join(folder, file), 'utf8').trim()
    if (text === undefined || license === undefined) throw new Error(`${folder} is bundled and has no licence`)
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  const rule = `\n${'-'.repeat(80)}\n\n`
  return `The files of this package contain code of the following packages.\n${rule}${texts.sort().join(rule)}`
}

function mit(license: string | undefined, author: Manifest['author']): string | undefined {
  const holder = typeof author === 'string' ? author : author?.name
  return license === 'MIT' && holder !== undefined ? `MIT License\n\nCopyright (c) ${holder}\n\n${MIT}` : undefined
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`

/** The nearest folder above whose package.json has a name; others only say which kind of modules they hold. */
function packageFolder(module: string): string {
  let folder = dirname(module)
  while (!existsSync(join(folder, 'package.json')) || readManifest(folder).name === undefined) folder = dirname(folder)
  return folder
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
