// `npm run build`: builds every published library into packages/NAME/dist. The clone itself needs no build; `npm run pack`
// builds for itself.

import { join } from 'node:path'
import { buildPackages } from './build/build-packages.ts'
import { libraries, readManifests } from './packages.ts'

const root = join(import.meta.dirname, '..')
const packages = libraries(readManifests(root))
const files = await buildPackages(root, packages, join(root, 'packages'), { maps: true })
console.log(`${files} files of JavaScript in ${packages.size} packages`)
