import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { serveForTest } from './server.ts'

const OWN = process.getuid?.() ?? 0
const NOBODY = 65534
const run = promisify(execFile)

/** The status of /version for a process of another user. Only root can start one. */
async function statusFor(uid: number, url: string): Promise<string> {
  const script = `fetch(${JSON.stringify(`${url}/version`)}).then(async (r) => console.log(r.status, await r.text()))`
  return (await run(process.execPath, ['-e', script], { uid, cwd: '/', env: {} })).stdout.trim()
}

describe.runIf(process.platform === 'linux')('a server for one user of the machine', () => {
  it('serves that user', async () => {
    const server = await serveForTest({ onlyUser: OWN })
    expect((await server.get('/version')).status).toBe(200)
    expect((await server.get('/version')).status).toBe(200)
  })

  it('refuses every other one', async () => {
    const server = await serveForTest({ onlyUser: OWN === 0 ? 4242 : OWN + 1 })
    const answer =
      OWN === 0
        ? await statusFor(NOBODY, server.url)
        : await server.get('/version').then((a) => `${a.status} ${a.text}`)
    expect(answer).toMatch(/^401 .*only the user who started it may use it/)
  })
})
