// CronJobs as people use them: kubectl against `homeostat up`, whose Pods are simulated, with a crash of the server on the way.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ServerProcess, startServer } from './server-process.ts'
import { needKubectls } from './tools.ts'

const { path = '', missing, version } = needKubectls().at(-1) ?? { version: 'any', missing: 'there is none' }

describe(`kubectl ${version}`, () => {
  it.skipIf(missing)('creates a cron job that makes jobs, runs it by hand, and suspends it', async () => {
    const directory = temporaryFolder()
    let server: ServerProcess = await startServer(directory, [])
    onTestFinished(async () => void (await server.stop('SIGKILL')))
    const kubectl = async (...args: string[]): Promise<string> => {
      const { stdout } = await promisify(execFile)(path, ['--kubeconfig', server.kubeconfig, ...args])
      return stdout
    }
    const jobs = async () => (await kubectl('get', 'jobs', '-o', 'name')).trim().split('\n').filter(Boolean)

    await kubectl('create', 'cronjob', 'tidy', '--image=none', '--schedule=@every 1s', '--restart=Never', '--', 'true')
    await expect.poll(jobs).toContainEqual(expect.stringMatching(/^job.batch\/tidy-\d+$/))
    const [first = ''] = await jobs()
    await kubectl('wait', '--for=condition=complete', first, '--timeout=200s')
    await expect
      .poll(() => kubectl('describe', 'cronjob', 'tidy'))
      .toMatch(/SawCompletedJob .* Saw completed job: tidy-/)
    await expect.poll(() => kubectl('get', 'cronjob', 'tidy')).toMatch(/tidy +@every 1s +<none> +False +0 +\d+s/)
    await kubectl('patch', 'cronjob', 'tidy', '-p', '{"spec":{"suspend":true}}')

    await kubectl('create', 'job', 'by-hand', '--from=cronjob/tidy')
    await kubectl('wait', '--for=condition=complete', 'job/by-hand', '--timeout=200s')
    expect(await kubectl('get', 'job', 'by-hand', '-o', 'jsonpath={.metadata.ownerReferences[0].kind}')).toBe('CronJob')

    await server.stop('SIGKILL')
    server = await startServer(directory, [])
    await kubectl('patch', 'cronjob', 'tidy', '-p', '{"spec":{"suspend":false,"schedule":"@every 2s"}}')
    // Otherwise the next one comes with the next minute, whose name is free.
    await kubectl('delete', 'jobs', '--all')
    await expect.poll(jobs).toContainEqual(expect.stringMatching(/^job.batch\/tidy-/))
    await kubectl('delete', 'cronjob', 'tidy')
    await expect.poll(jobs).toEqual([])
  })
})
