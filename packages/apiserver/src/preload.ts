// Loads what a server otherwise loads when it is first needed: for tests, which start many servers and none in a hurry.

import { loadWriting } from './http/resource-handler.ts'

export async function preload(): Promise<void> {
  await Promise.all([import('./controllers/later.ts'), loadWriting(), import('./authn/certificate-authority.ts')])
}
