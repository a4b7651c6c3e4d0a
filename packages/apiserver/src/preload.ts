// Loads what a server otherwise loads when it is first needed: for tests, which start many servers and none in a hurry.

import { bringKindRules } from './builtin/kind-table.ts'
import { loadWriting } from './http/resource-handler.ts'

export async function preload(): Promise<void> {
  await Promise.all([
    bringKindRules(),
    import('./builtin/definition/definition-rules.ts'),
    import('./controllers/later.ts'),
    loadWriting(),
    import('./authn/certificate-authority.ts'),
  ])
}
