// `npm run pack -- FOLDER`: builds every package that is published and writes its tarball into the folder.

import { join, resolve } from 'node:path'
import { packPackages } from './pack/pack-packages.ts'

const [folder, ...more] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-') || more.length > 0) {
  console.error('usage: npm run pack -- FOLDER')
  process.exit(2)
}
for (const { file, unpackedSize } of await packPackages(join(import.meta.dirname, '..'), resolve(folder))) {
  console.log(`${file} (${Math.round(unpackedSize / 1024)} KiB unpacked)`)
}
