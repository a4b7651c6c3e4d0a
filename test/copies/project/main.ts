// A user's project: its own copies of the packages, and others beside them that came with a dependency. Prints what the
// one side made of the values of the other.

import { startApiServer } from '@homeostat/apiserver'
import { isConnectionError } from '@homeostat/client'
import { executor, type ProcessOutcome } from '@homeostat/executor'
import { operator, run, waiting } from '@homeostat/operator'
import { z } from 'zod'
import * as other from './other/index.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const results = {
  waiting: await reasonOfWaiting(),
  compacted: await codeOfCompacted(),
  permanent: await outcomeOfPermanent(),
  unreachable: await logOfUnreachable(),
}
process.stdout.write(JSON.stringify(results))

/** An operator of this copy in a test environment of the other. */
async function reasonOfWaiting(): Promise<string | undefined> {
  const site = operator('copies.dev/v1/Site', { spec: z.object({}) }, () => {
    throw waiting('NotYet', 'not yet')
  })
  const env = await other.testEnv()
  await env.run(site).ready
  const metadata = { namespace: 'default', name: 'a' }
  await env.apply({ apiVersion: 'copies.dev/v1', kind: 'Site', metadata, spec: {} })
  await env.settled()
  const { status } = (await env.client.resourceOf('copies.dev/v1', 'Site').get(metadata)) as {
    status?: { conditions?: { type: string; reason: string }[] }
  }
  await env.close()
  return status?.conditions?.find(({ type }) => type === 'Ready')?.reason
}

/** A server of this copy on a store of the other: a watch from a compacted revision. */
async function codeOfCompacted(): Promise<number | undefined> {
  const store = new other.MemoryStore()
  const server = await startApiServer({ store, host: '127.0.0.1', port: undefined })
  const transport = other.nodeTransport({ url: 'http://localhost', connect: () => server.connect() })
  const maps = other.createClient(transport).resource('v1', 'ConfigMap')
  for (const name of ['a', 'b']) await maps.create({ metadata: { name, namespace: 'default' } })
  const { metadata } = await maps.list({ namespace: 'default' })
  await store.compact(Number(metadata.resourceVersion))
  await server.close()
  const again = await startApiServer({ store, host: '127.0.0.1', port: undefined })
  const late = other.createClient(other.nodeTransport({ url: 'http://localhost', connect: () => again.connect() }))
  try {
    for await (const _ of late.resource('v1', 'ConfigMap').watch({ namespace: 'default', resourceVersion: '1' })) break
    return undefined
  } catch (error) {
    return (error as { code?: number }).code
  } finally {
    late.close()
    transport.close()
    await again.close()
    await store.close()
  }
}

/** A function that throws the other copy's PermanentError, in an executor of this copy. */
async function outcomeOfPermanent(): Promise<unknown> {
  const colony = await other.testColony()
  const closed = Promise.withResolvers<ProcessOutcome>()
  const worker = executor({
    type: 't',
    client: colony.client,
    log: quiet,
    functions: {
      f() {
        throw new other.PermanentError('never')
      },
    },
    onClosed: (_, outcome) => closed.resolve(outcome),
  })
  await worker.ready
  const spec = { funcName: 'f', conditions: { executorType: 't' } }
  await colony.client
    .resource('colonies.io/v1', 'Process')
    .create({ metadata: { name: 'p', namespace: 'default' }, spec } as object)
  const { result, retryable } = (await closed.promise) as { result: string; retryable?: boolean }
  await worker.close()
  await colony.close()
  return { result, retryable }
}

/** An operator of this copy waits for its server while a client of the other says that it is not there. */
async function logOfUnreachable(): Promise<{ warning: string; recognized: boolean }> {
  const warned = Promise.withResolvers<{ warning: string; recognized: boolean }>()
  const client = other.createClient(other.nodeTransport({ url: 'http://127.0.0.1:1' }), { retry: { tries: 1 } })
  const warn = (fields: object, warning: string) =>
    warned.resolve({ warning, recognized: isConnectionError((fields as { err?: unknown }).err) })
  const running = run(
    operator('copies.dev/v1/Site', { spec: z.object({}) }, () => undefined),
    {
      client,
      log: { ...quiet, warn, error: warn },
    },
  )
  const logged = await warned.promise
  await running.close()
  return logged
}
