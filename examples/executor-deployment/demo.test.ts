import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from '@homeostat/runtimes/testing/os-process'
import { expect, it, onTestFinished } from 'vitest'
import { startedPids } from './stage.fixture.ts'

it('run-demo.sh shows the whole story without a server, ends well and leaves nothing behind', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'homeostat-'))
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }))
  const env = { ...process.env, TMPDIR: temporary }
  const { stdout } = await promisify(execFile)('./run-demo.sh', { cwd: import.meta.dirname, env })
  const lines = stdout.split('\n')
  expect(lines.filter((line) => /^\d+\. /.test(line))).toEqual([
    '1. Register the definition',
    '2. Create a resource that asks for 3 executors of type ml-executor',
    '3. The server puts a process into the queue',
    '4. Start the controller: it takes the process and reconciles',
    '5. Look at the status',
    '6. Give them work',
    '7. replicas: 5',
    '8. replicas: 1',
    '9. Kill the last one by hand',
    '10. Delete the resource',
  ])
  expect(lines.filter((line) => line.startsWith('   ✓ '))).toHaveLength(17)
  // Three, two more, and the replacement of a killed one.
  const pids = startedPids(lines.map((line) => line.replace('   │ ', '')))
  expect(pids).toHaveLength(6)
  expect(pids.filter(isAlive)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
  expect(stdout).toMatch(/\n\nDone in \d+\.\d s; nothing is left behind/)
})
