// A plugin of the bundler that follows `new URL('./thread.ts', import.meta.url)`: a thread or a program of its own becomes an
// entry of the bundle, anything else is copied. All end up in one folder with the chunks, so that the expression needs no more
// than the new name.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'
import { MENTIONS_META, replacePlaced } from '../placed-expression.ts'

/** `packages` is the folder whose files are looked at; `entries` are files that have a name in the bundle already. */
export function placedFiles(packages: string, entries: Readonly<Record<string, string>>): Plugin {
  const names = new Map(Object.entries(entries).map(([name, file]) => [file, `${name}.js`]))
  return {
    name: 'placed-files',
    transform: {
      filter: { code: MENTIONS_META },
      handler(code, id) {
        if (relative(packages, id).startsWith('..')) return undefined
        const placed = replacePlaced(code, id, (path) => {
          const file = join(dirname(id), path)
          let name = names.get(file)
          if (name === undefined) {
            name = nameOf(file, packages)
            if ([...names.values()].includes(name)) this.error(`two files would be ${name} in the bundle: ${file}`)
            names.set(file, name)
            if (file.endsWith('.ts')) this.emitFile({ type: 'chunk', id: file, fileName: name })
            else
              for (const [path, source] of filesAt(file))
                this.emitFile({ type: 'asset', fileName: join(name, path), source })
          }
          return `./${name}`
        })
        return { code: placed, map: null }
      },
    },
  }
}

/** `packages/store/src/sqlite/thread.ts` is `store-thread.js`. */
function nameOf(file: string, packages: string): string {
  const [name] = relative(packages, file).split('/')
  return `${name}-${basename(file).replace(/\.ts$/, '.js')}`
}

/** The file itself, with an empty path, or everything below a folder by its path there. */
function filesAt(place: string): [string, Buffer][] {
  if (!statSync(place).isDirectory()) return [['', readFileSync(place)]]
  const entries = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => [relative(place, file), readFileSync(file)])
}
