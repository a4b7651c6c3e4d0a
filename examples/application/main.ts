// Writes application.crd.json anew. Run it when application.ts has changed; a test says when that was forgotten.

import { writeFileSync } from 'node:fs'
import { applicationDefinition } from './definition.ts'

const file = new URL('./application.crd.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(applicationDefinition(), null, 2)}\n`)
console.log('application.crd.json is written')
