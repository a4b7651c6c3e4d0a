// A colony with the definitions of the kinds and their controllers, for tests.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import type { ApiObject } from '@homeostat/client'
import { type BatchSystem, slurm } from '@homeostat/runtimes/batch'
import { testColony } from '@homeostat/testing/colony'
import { onTestFinished } from 'vitest'
import { type ControllerOptions, startControllers } from './controllers.ts'
import type { Observed } from './resource.ts'

const FOLDERS = [
  join(import.meta.dirname, 'definitions'),
  join(import.meta.dirname, '../executor-deployment/definitions'),
]

export function read(path: string): ApiObject {
  return JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8')) as ApiObject
}

export async function stage(batch: BatchSystem = slurm, shared?: string, options: Partial<ControllerOptions> = {}) {
  const colony = await testColony()
  const directory = shared ?? mkdtempSync(join(tmpdir(), 'homeostat-kinds-'))
  const { client } = colony
  await client.resourceOf('v1', 'Namespace').create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dev' } })
  for (const folder of FOLDERS)
    for (const file of readdirSync(folder)) {
      const definition = JSON.parse(readFileSync(join(folder, file), 'utf8')) as ApiObject
      await client.resourceOf(definition.apiVersion ?? '', definition.kind ?? '').create(definition)
    }
  const databases = { directory: join(directory, 'databases'), runtime: 'local' as const }
  const begin = () =>
    startControllers({
      client,
      colony: 'dev',
      log: silentLog,
      directory,
      batch,
      databases,
      serverlessHosts: ['127.0.0.1:*'],
      ...options,
    })
  let controllers = begin()
  onTestFinished(async () => {
    await controllers.close()
    await colony.close()
    if (shared === undefined) rmSync(directory, { recursive: true, force: true })
  })
  await controllers.ready
  return {
    ...colony,
    directory,
    /** Ends the controllers, and starts others. */
    async restart() {
      await controllers.close()
      controllers = begin()
      await controllers.ready
    },
    endControllers: () => controllers.close(),
    /** Creates the object in `dev`, once its kind is served. */
    create: (object: ApiObject) =>
      until(() =>
        client
          .resourceOf<Observed>(object.apiVersion ?? '', object.kind ?? '')
          .create({ ...object, metadata: { ...object.metadata, namespace: 'dev' } }),
      ),
    find: (apiVersion: string, kind: string, name: string) =>
      client.resourceOf<Observed>(apiVersion, kind).find({ name, namespace: 'dev' }),
  }
}
