import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { tellStory } from '../story.ts'
import { needPrograms } from './needed-programs.fixture.ts'

const missing = needPrograms('initdb', 'postgres', 'redis-server')

test.skipIf(missing)('the example tells its story and leaves nothing behind', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'homelab-story-'))
  chmodSync(temporary, 0o755)
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(temporary, { recursive: true, force: true })
  })
  const lines: string[] = []
  let inUse: string[] = []
  await tellStory((line) => {
    lines.push(line)
    inUse = [...inUse, ...readdirSync(temporary)]
  })
  expect(lines.filter((line) => /^\d/.test(line))).toHaveLength(8)
  expect(lines.filter((line) => line.startsWith('   '))).toEqual([
    '   AuthentikServer homelab: MissingDependency, Domain: Domain homelab/homelab not found',
    expect.stringContaining('Domain homelab: MissingCRD'),
    '   Domain homelab: ready',
    '   PostgresDatabase test2: ready',
    '   PostgreSQL has the database homelab_test2',
    '   AuthentikServer homelab: ready',
    '   log in at https://authentik.local.olsen.cloud',
    expect.stringContaining('AuthentikServer homelab: WaitingForDependency'),
    '   AuthentikServer homelab: ready',
    '   AuthentikServer homelab: ready',
    '   databases of the homelab: 0',
  ])
  expect(inUse.length).toBeGreaterThan(0)
  expect(readdirSync(temporary)).toEqual([])
})
