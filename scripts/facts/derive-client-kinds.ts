// Writes the types of built-in kinds, packages/client/src/kinds/, from what our own server says of them:
//   node --conditions=homeostat-source scripts/facts/derive-client-kinds.ts

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientKinds } from './client-kinds.ts'

const TARGET = join(import.meta.dirname, '../../packages/client/src/kinds')

const files = await clientKinds()
rmSync(TARGET, { recursive: true, force: true })
mkdirSync(TARGET, { recursive: true })
for (const [name, text] of files) writeFileSync(join(TARGET, name), text)
process.stdout.write(`${files.size} files were written to ${TARGET}\n`)
