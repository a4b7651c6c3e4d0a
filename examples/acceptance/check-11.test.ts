// Check 11: omitting replicas and protocol gets 1 and https from the zod defaults; port 70000 or protocol "ftp" is rejected by the
// server with the field path.

import type { LooseObject } from '@homeostat/client'
import { expect, test } from 'vitest'
import { deployment, guideServer, manifest } from './guide-server.fixture.ts'

test('check 11', async () => {
  const env = await guideServer()
  const { replicas: _, protocol: __, ...spec } = manifest().spec
  const [made] = await env.apply<LooseObject>({ ...manifest(), spec })
  expect(made?.spec).toMatchObject({ replicas: 1, protocol: 'https' })
  await env.until(deployment, (found) => found.spec?.replicas === 1)
  const refused = (field: string, change: object) =>
    expect(env.apply(manifest(change))).rejects.toMatchObject({
      status: { code: 422, reason: 'Invalid', details: { causes: [{ field }] } },
    })
  await refused('spec.port', { port: 70_000 })
  await refused('spec.protocol', { protocol: 'ftp' })
})
