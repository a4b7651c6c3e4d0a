// A new server with the code that the data directory of another one gave.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePki, readPki } from '@homeostat/apiserver/keys'
import { silentLog } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { fakeTerminal, runOn } from '../terminal.fixture.ts'
import { startControlPlane } from './control-plane.ts'
import { joinServers } from './join-servers.ts'
import { keyFilesIn, openPki } from './pki-folder.ts'
import { SecureAccess } from './secure-access.ts'

async function firstServer(shared = true) {
  const directory = temporaryFolder()
  const pki = await openPki(directory, { makePki, readPki })
  const nothing = { certificateFile: undefined, keyFile: undefined, clientAuthorityFile: undefined }
  const access = new SecureAccess({
    ...nothing,
    directory,
    host: '127.0.0.1',
    port: 0,
    names: [],
    pki,
    logger: silentLog,
  })
  const store = new MemoryStore({ shared })
  const plane = await startControlPlane({
    store,
    host: '127.0.0.1',
    port: undefined,
    secure: access.listen,
    logger: silentLog,
    pki: access.pki,
    addOns: [],
    joinFiles: shared ? () => keyFilesIn(directory) : undefined,
    rolesLater: true,
  })
  onTestFinished(async () => {
    await plane.close()
    await store.close()
  })
  const code = async () => {
    const file = join(temporaryFolder(), 'code')
    const address = ['--address', plane.url, '--data-dir', directory]
    const { error } = await runOn(fakeTerminal(), ['server', 'join-code', '-o', file, ...address])
    expect(error).toContain('--join-file')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    return file
  }
  return { directory, code }
}

test('it gets the keys, and the code is used up with its file', async () => {
  const { directory, code } = await firstServer()
  const [file, target] = [await code(), temporaryFolder()]
  await joinServers(file, target, silentLog)
  expect(keyFilesIn(target)).toEqual(keyFilesIn(directory))
  expect(existsSync(file)).toBe(false)
  // As at each later start.
  await joinServers(file, target, silentLog)
  await expect(joinServers(file, temporaryFolder(), silentLog)).rejects.toThrow('there is no such file')
})

test('it says why it gets none, and goes on with those that it has', async () => {
  const { code } = await firstServer()
  const file = await code()
  const text = readFileSync(file)
  await joinServers(file, temporaryFolder(), silentLog)
  const used = join(temporaryFolder(), 'used')
  writeFileSync(used, text, { mode: 0o600 })
  await expect(joinServers(used, temporaryFolder(), silentLog)).rejects.toThrow('it was used')
  const own = temporaryFolder()
  await openPki(own, { makePki, readPki })
  const before = keyFilesIn(own)
  await joinServers(used, own, silentLog)
  expect(keyFilesIn(own)).toEqual(before)
})

test('a server whose store is its own gives its keys to nobody', async () => {
  const { code } = await firstServer(false)
  await expect(joinServers(await code(), temporaryFolder(), silentLog)).rejects.toThrow("the server's store is its own")
})
