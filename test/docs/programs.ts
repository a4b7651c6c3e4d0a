// Every TypeScript block of the documents as a file of a stranger's project, which test/packed compiles and runs. Blocks that show
// a part of a program are put into the frame that their page speaks of.

import { type Block, blocks } from './blocks.ts'

/** Files that other blocks import by name; all others are called after their place. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  'docs/operators-functional.md ts 1': [
    'docs/operators-functional/site.ts',
    'docs/testing/site.ts',
    'docs/webhooks/site.ts',
  ],
  'docs/operators.md ts 1': ['docs/operators/web-app.ts'],
  'docs/from-laptop-to-cluster.md ts 1': ['docs/from-laptop-to-cluster/greeting.ts'],
}

const SITE = "import { run } from '@homeostat/operator'\nimport { site } from './site.ts'\n"

/** What the fragments of docs/operators.md take for granted. */
const CLASS = `import { CustomResource, type CustomResourceOptions, ResourceReference } from '@homeostat/operator'
import { ResourceService, SecretService, type Services } from '@homeostat/operator'
import { z } from 'zod'
const spec = z.object({ parts: z.array(z.string()), replicas: z.int() })
const body = { spec: { selector: { matchLabels: {} }, template: { spec: { containers: [] } } } }
const [name, namespace, schema, generator] = ['a', 'b', z.object({ key: z.string() }), () => ({ key: '' })] as const
class Shown extends CustomResource<typeof spec> {
`
const asMembers = [CLASS, '\n  async reconcile() {}\n}\n'] as const
const inReconcile = [
  `${CLASS}  readonly deployment = this.own('apps/v1', 'Deployment')\n  async reconcile() {\n`,
  '\n  }\n}\n',
] as const
const FRAMES: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'README.md ts 2': [
    "const makeDatabase = async (_spec: unknown, _options: { signal: AbortSignal }) => 'db.example:5432'\n",
    '',
  ],
  'docs/operators-functional.md ts 5': [SITE, ''],
  'docs/operators.md ts 3': asMembers,
  'docs/operators.md ts 4': inReconcile,
  'docs/operators.md ts 5': asMembers,
  'docs/operators.md ts 6': inReconcile,
  'docs/operators.md ts 7': inReconcile,
  'docs/operators.md ts 8': inReconcile,
  'docs/operators.md ts 9': [
    "import type { Context } from '@homeostat/operator'\nimport type { z } from 'zod'\n" +
      'declare const c: Context<z.ZodObject<{ image: z.ZodString }>, z.ZodObject, "Namespaced">\n',
    '',
  ],
  'docs/operators.md ts 10': [
    "import type { Running } from '@homeostat/operator'\ndeclare const running: Running\n",
    '',
  ],
  'docs/operators.md ts 11': [
    "import { testEnv } from '@homeostat/testing'\nimport { webApp } from './web-app.ts'\n" +
      "const spec = { image: 'nginx:1.29', hostname: 'shop.example' }\n",
    'await env.close()\n',
  ],
  'docs/schemas.md ts 1': [
    "import { defaultClient } from '@homeostat/client/node'\nconst client = await defaultClient()\n",
    '',
  ],
  'docs/schemas.md ts 2': ["import { k8s } from '@homeostat/operator'\nimport { z } from 'zod'\n", ''],
  'docs/schemas.md ts 3': ["import { z } from 'zod'\nexport const lines = [\n", ']\n'],
}

/** Blocks that go on where the first one of their page ends. */
const CONTINUED = new Set(['docs/testing.md ts 2', 'docs/testing.md ts 3', 'docs/testing.md ts 4'])

/** Texts by file name. */
export function programs(): Map<string, string> {
  const all = blocks('ts')
  const made = new Map<string, string>()
  for (const { id, page, code } of all) {
    const [before, after] = FRAMES[id] ?? [CONTINUED.has(id) ? firstOf(all, page) : '', '']
    const text = `${before}${id === 'docs/schemas.md ts 3' ? asObjects(code) : code}${after}export {}\n`
    const name = id.replaceAll(/\W+/g, '-') + (text.includes("from 'vitest'") ? '.test.ts' : '.ts')
    for (const file of NAMED[id] ?? [`${page.replace('.md', '')}/${name}`]) made.set(file, text)
  }
  return made
}

function firstOf(all: readonly Block[], page: string): string {
  return all.find((block) => block.page === page)?.code ?? ''
}

/** Fields of a schema, one in each line. */
function asObjects(code: string): string {
  return code.replaceAll(/^(\w+: .*?\))( +\/\/.*)?$/gm, '{ $1 },')
}
