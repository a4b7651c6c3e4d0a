// `npm run bundle [-- FOLDER]`: builds the `homeostat` command as one package, by default in dist/homeostat.

import { join, relative, resolve } from 'node:path'
import { buildBundle } from './bundle/build-bundle.ts'

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist/homeostat'))
const chunks = await buildBundle(folder)
const size = chunks.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0)
console.log(`${relative('', folder)}: ${Math.round(size / 1024)} KiB of code in ${chunks.length} files`)
