// A full disk: writes are refused and change nothing, reads and watches go on, and writing resumes when there is room.

import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { call } from '../http-call.ts'
import { FaultyServer, Gate, namesOf } from './faulty-server.ts'

const bulky = { spec: { payload: 'x'.repeat(64 << 10) } }

test.each(['insert', 'commit'] as const)(
  'a disk that is full at the %s refuses writes until there is room',
  async (call_) => {
    const gate = new Gate()
    const server = await FaultyServer.start({
      fault: [{ connection: 'writer', call: call_, kind: 'full', times: 1e9, gate: gate.memory }],
    })
    await server.create('before')
    const watch = await server.watch()
    gate.shut()
    await expectRefusal(server, 'refused')
    expect(await server.names()).toEqual(['before'])
    gate.open()
    await server.until(/^ok$/)
    const made = await server.create('after')
    expect(made.code).toBe(201)
    await watch.reached(Number(made.body.metadata.resourceVersion))
    expect(namesOf(watch.events.map((event) => event.object))).toEqual(['after'])
  },
)

test('a file that may not grow refuses writes, and every acknowledged one is there after a restart', async () => {
  const server = await FaultyServer.start({ maxPages: 400 })
  const kept = await fill(server)
  await expectRefusal(server, 'refused', bulky)
  expect(await server.names()).toEqual(kept)
  await server.close()
  const again = await FaultyServer.start({ directory: server.directory })
  expect(await again.names()).toEqual(kept)
  expect((await again.create('refused', bulky)).code).toBe(201)
})

test('a small file system that fills up and is cleared again loses nothing', async (context) => {
  const directory = smallFileSystem(context, '6m')
  const server = await FaultyServer.start({ directory })
  await server.create('before')
  const watch = await server.watch()
  const filler = join(directory, 'filler')
  const { bavail, bsize } = statfsSync(directory)
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - (1 << 20))))
  const kept = await fill(server)
  await expectRefusal(server, 'refused', bulky)
  expect(await server.names()).toEqual(['before', ...kept])
  rmSync(filler)
  await server.until(/^ok$/)
  const made = await server.create('room', bulky)
  expect(made.code).toBe(201)
  await watch.reached(Number(made.body.metadata.resourceVersion))
  expect(namesOf(watch.events.map((event) => event.object))).toEqual([...kept, 'room'])
  await server.close()
  const again = await FaultyServer.start({ directory })
  expect(await again.names()).toEqual(['before', ...kept, 'room'])
})

test('a start without room says so and harms nothing', async (context) => {
  const directory = smallFileSystem(context, '4m')
  const server = await FaultyServer.start({ directory })
  await server.create('kept')
  await server.close()
  const filler = join(directory, 'filler')
  const { bavail, bsize } = statfsSync(directory)
  writeFileSync(filler, Buffer.alloc(bavail * bsize))
  const { code, stderr } = await homeostat('up', '--port', '0', '--data-dir', directory)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^homeostat: the disk of .* is full; make room there and start again\n$/)
  rmSync(filler)
  const again = await FaultyServer.start({ directory })
  expect(await again.names()).toEqual(['kept'])
})

/** Writes until there is no room; answers the names of what was acknowledged. */
async function fill(server: FaultyServer): Promise<string[]> {
  const kept: string[] = []
  for (let number = 100; ; number++) {
    const answer = await server.create(`full-${number}`, bulky)
    if (answer.code !== 201) return kept
    kept.push(`full-${number}`)
  }
}

async function expectRefusal(server: FaultyServer, name: string, rest?: object): Promise<void> {
  const answer = await server.create(name, rest)
  expect(answer).toMatchObject({
    code: 500,
    body: { kind: 'Status', reason: 'InternalError', message: expect.stringMatching(/nothing was changed.*full/) },
  })
  expect((await server.get(name)).code).toBe(404)
  expect(await server.ready()).toMatch(/store failed: writes fail: .*full/)
  expect((await call(`${server.url}/livez`)).code).toBe(200)
}

/** Needs the right to mount. The brick wall beside it, a file that may not grow, is tested everywhere. */
function smallFileSystem(context: TestContext, size: string): string {
  const directory = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory], { stdio: 'pipe' })
  } catch (error) {
    process.stderr.write(`skipped: a full file system, since this user may not mount one (${error})\n`)
    context.skip('this user may not mount a file system')
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', directory]))
  return directory
}
