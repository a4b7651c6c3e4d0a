import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { operator } from '@homeostat/operator'
import { AccessFile } from '@homeostat/operator/access'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { testEnv } from './test-env.ts'

const note = operator('ex.io/v1/Note', { spec: z.object({}) }, async ({ child, get }) => {
  await get('v1', 'Secret', 'license')
  return [child('v1', 'ConfigMap', { data: {} })]
})

async function reconcileIn(folder: string): Promise<void> {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  await using env = await testEnv()
  cwd.mockRestore()
  await env.run(note).ready
  await env.apply({ apiVersion: 'ex.io/v1', kind: 'Note', metadata: { name: 'n', namespace: 'default' }, spec: {} })
  await env.settled()
}

function project(manifest: object): string {
  return temporaryFolder({ 'package.json': JSON.stringify(manifest), 'src/note.ts': '' })
}

test('in a project, tests record what operators asked for, each request once', async () => {
  const folder = project({ homeostat: {} })
  await reconcileIn(join(folder, 'src'))
  const file = new AccessFile(join(folder, '.homeostat'))
  const asked = file.read().map(({ kinds, verb, resource }) => `${kinds} ${verb} ${resource}`)
  for (const one of ['watch notes', 'patch notes/status', 'watch secrets', 'patch configmaps', 'create configmaps']) {
    expect(asked).toContain(`ex.io/Note ${one}`)
  }
  await reconcileIn(folder)
  const lines = readFileSync(file.path, 'utf8').split('\n')
  expect(new Set(lines).size).toBe(lines.length)
})

test('anywhere else nothing is written', async () => {
  const folder = project({ name: 'other' })
  await reconcileIn(join(folder, 'src'))
  expect(existsSync(join(folder, '.homeostat'))).toBe(false)
})
