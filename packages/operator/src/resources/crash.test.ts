// An operator loses its server at any write, before the request or before the response, and is restarted: the final
// state must be the same as without a crash.

import { eventually } from '@homeostat/base/testing/eventually'
import { type Client, createClient } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SecretService } from '../secrets/secret-service.ts'
import { decodeValues } from '../secrets/secret-values.ts'
import { conditionOf, GROUP, stage } from './class-style.fixture.ts'
import { CustomResource } from './custom-resource.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'

const spec = z.object({})
const schema = z.object({ password: z.string() })

class Vault extends CustomResource<typeof spec> {
  readonly config = this.own('v1', 'ConfigMap')
  readonly service = this.own('v1', 'Service')

  async reconcile() {
    const { name, namespace, ref: owner } = this
    const generator = () => ({ password: crypto.randomUUID() })
    const secret = await this.services.get(SecretService).ensure({ name, namespace, schema, generator, owner })
    await this.config.ensure({ data: { digest: secret.digest } })
    await this.service.ensure({ spec: { ports: [{ port: 80 }] } })
    await this.patchStatus({ digest: secret.digest })
  }

  override async cleanup() {}
}

const kind = createCustomResourceDefinition({
  group: GROUP,
  version: 'v1',
  kind: 'Vault',
  spec,
  create: (options) => new Vault(options),
})

/** Loses all writes after the first few: the request is not sent, or the response does not arrive. */
function losing({ transport }: Client, allowed: number, sent: boolean): { client: Client; lost: () => boolean } {
  let writes = 0
  const client = createClient(
    {
      async send(request) {
        const isWrite = request.method !== 'GET'
        if (isWrite) writes++
        if (!isWrite || writes <= allowed) return transport.send(request)
        if (sent && writes === allowed + 1) await transport.send(request)
        throw new Error('connection lost')
      },
      close: () => transport.close(),
    },
    { retry: { tries: 1 } },
  )
  return { client, lost: () => writes > allowed }
}

describe.each([
  ['before it is sent', false],
  ['before its answer comes', true],
])('an operator that loses its server %s', (_, sent) => {
  it('comes to the same end, whichever write it was, and with the secret that was made first', async () => {
    const { operate, connect, create, find } = await stage([kind])
    for (let allowed = 0; allowed <= 5; allowed++) {
      const name = `vault-${allowed}`
      const { client, lost } = losing(connect(), allowed, sent)
      const first = await operate([kind], { client })
      await create('Vault', name)
      // Vaults of earlier rounds are unchanged and cost no write.
      await eventually(async () => lost() || conditionOf(await find('Vault', name), 'Ready') === 'True Reconciled')
      await first.running.close()
      const made = await find('Secret', name)
      const second = await operate([kind])
      await eventually(async () => conditionOf(await find('Vault', name), 'Ready') === 'True Reconciled')
      await second.running.idle()
      await second.running.close()
      const secret = await find('Secret', name)
      if (made) expect(secret?.data).toEqual(made.data)
      expect(Object.keys(decodeValues(secret?.data))).toEqual(['password'])
      const vault = await find('Vault', name)
      expect((await find('ConfigMap', name))?.data).toEqual({ digest: vault?.status?.digest })
      expect(await find('Service', name)).toBeDefined()
      expect(vault?.metadata.finalizers).toHaveLength(1)
      expect(vault?.status?.inventory).toHaveLength(2)
    }
    const { running, writes } = await operate([kind])
    await eventually(() => running.runs >= 6)
    await running.idle()
    expect(writes).toEqual([])
  })
})
