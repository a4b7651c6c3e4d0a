import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { publicFolder } from '../public-folder.fixture.ts'
import { tellStory } from '../story.ts'
import { needPostgres } from './need-postgres.fixture.ts'

const postgres = needPostgres()
const FOLDERS = ['../definitions', '../../executor-deployment/definitions'].map((one) => join(import.meta.dirname, one))
const definitions = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))

test.skipIf(postgres === undefined)('the example tells its story and leaves nothing behind', async () => {
  const temporary = publicFolder()
  chmodSync(temporary, 0o755)
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(temporary, { recursive: true, force: true })
  })
  const lines: string[] = []
  let inUse: string[] = []
  await tellStory({
    print: (line) => {
      lines.push(line)
      inUse = [...inUse, ...readdirSync(temporary)]
    },
    definitions,
    postgres,
  })
  expect(lines.filter((line) => line.startsWith('   '))).toEqual([
    '   Workflow daily: Succeeded, ingest, check, load',
    '   ExecutorDeployment mood: 3 replicas, 6 predictions wait',
    '   ExecutorDeployment mood: 1 replica',
    '   Process resize-1: Succeeded at attempt 2, {"size":3}',
    '   Database users: Running at 127.0.0.1:PORT, its login is in the Secret database-users',
    '   Secrets of databases: 0',
    '   data of databases: 0',
  ])
  expect(inUse.length).toBeGreaterThan(0)
  expect(readdirSync(temporary)).toEqual([])
})
