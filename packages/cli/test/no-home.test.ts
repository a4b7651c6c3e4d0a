// A user whom the machine has no entry of, and who thus has no home: containers run with any number.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandTest, commandTest } from './command.fixture.ts'

/** What Node does for such a user, where HOME is not set either. */
const NO_HOME = `
import os from 'node:os'
import { syncBuiltinESMExports } from 'node:module'
os.homedir = () => {
  throw new Error('uv_os_homedir returned ENOENT (no such file or directory)')
}
syncBuiltinESMExports()`

let command: CommandTest
beforeAll(async () => {
  command = await commandTest()
})
afterAll(() => command[Symbol.asyncDispose]())

test('the command works, and looks for a server in the other places', async () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(NO_HOME)}`
  expect(await command.homeostat(['get', 'namespace', 'default', '-o', 'name'], { NODE_OPTIONS })).toMatchObject({
    code: 0,
    out: 'namespace/default\n',
  })
  const nowhere = { NODE_OPTIONS, HOMEOSTAT_SERVER: '', HOMEOSTAT_DATA: '', KUBECONFIG: '' }
  const unknown = await command.homeostat(['get', 'namespaces'], nowhere)
  expect(unknown).toMatchObject({ code: 1, error: expect.stringContaining('no server is known') })
})
