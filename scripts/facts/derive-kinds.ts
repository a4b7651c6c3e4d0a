// Derives the tables of the built-in kinds from a folder of facts about Kubernetes:
//   node scripts/facts/derive-kinds.ts FOLDER
// writes packages/apiserver/facts/{schemas,resources}.json. Format them with `npm run format` afterwards.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compactStruct } from './compact-struct.ts'
import { type FactsFolder, readFacts } from './facts-folder.ts'
import { resourceRows } from './resource-rows.ts'
import { shortName } from './type-names.ts'

const TARGET = join(import.meta.dirname, '../../packages/apiserver/facts')
/** Bodies of subresources and of reviews, which no resource contains; and the kind that is no row of the table. */
const OTHERS = [
  'io.k8s.api.authentication.v1.TokenRequest',
  'io.k8s.api.autoscaling.v1.Scale',
  'io.k8s.api.core.v1.Binding',
  'io.k8s.api.policy.v1.Eviction',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
]

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('say which folder has the facts')
derive(readFacts(folder))

function derive(facts: FactsFolder): void {
  const rows = resourceRows(facts)
  const types = reachable(facts, [...rows.map(({ component }) => component), ...OTHERS])
  mkdirSync(TARGET, { recursive: true })
  write(
    'resources.json',
    rows.map(({ row }) => row),
  )
  write('schemas.json', Object.fromEntries([...types].sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** The lines of these types and of all that their fields lead to, by short name. */
function reachable({ schemas }: FactsFolder, roots: readonly string[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const pending = [...roots]
  for (let component = pending.pop(); component !== undefined; component = pending.pop()) {
    const name = shortName(component)
    if (found.has(name)) continue
    const schema = schemas[component]
    if (!schema) throw new Error(`nothing describes the type ${component}`)
    const { lines, references } = compactStruct(component, schema)
    found.set(name, lines)
    pending.push(...references)
  }
  return found
}

function write(file: string, value: unknown): void {
  writeFileSync(join(TARGET, file), `${JSON.stringify(value, undefined, 2)}\n`)
}
