import { expect, test } from 'vitest'
import { fakeTerminal, runOn } from '../terminal.fixture.ts'

test.each([
  [
    'a kubeconfig that is not there',
    ['--kubeconfig', '/nowhere/kubeconfig'],
    'there is no kubeconfig at /nowhere/kubeconfig',
  ],
  ['what is no URL', ['--server', 'nonsense'], 'is not the URL of a server'],
])('%s is said in a line', async (_, args, message) => {
  const { code, out, error } = await runOn(fakeTerminal(), ['dashboard', '--port', '0', ...args])
  expect([code, out]).toEqual([1, ''])
  expect(error).toContain(message)
  expect(error.trim().split('\n')).toHaveLength(1)
})
