import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { fakeTerminal } from '../terminal.fixture.ts'
import { type ServerValues, withServer } from './session.ts'

function kubeconfigs(...names: string[]): string {
  const folder = temporaryFolder()
  for (const name of names) {
    mkdirSync(join(folder, name))
    const clusters = [{ name: 'k', cluster: { server: `http://${name}` } }]
    const contexts = [{ name: 'c', context: { cluster: 'k', namespace: `${name}-ns` } }]
    writeFileSync(join(folder, name, 'kubeconfig'), JSON.stringify({ 'current-context': 'c', clusters, contexts }))
  }
  return folder
}

const nothing: ServerValues = { server: undefined, kubeconfig: undefined, context: undefined, namespace: undefined }

function found(values: Partial<ServerValues>, env: Readonly<Record<string, string>> = {}) {
  return withServer({ ...nothing, ...values }, fakeTerminal({ env }), async ({ url, namespace }) => [url, namespace])
}

test('a flag goes before every variable, and the server before the kubeconfig', async () => {
  const folder = kubeconfigs('file', 'variable', 'data')
  const file = join(folder, 'file/kubeconfig')
  const variable = join(folder, 'variable/kubeconfig')
  const both = { HOMEOSTAT_SERVER: 'http://server', KUBECONFIG: variable }
  expect(await found({ server: 'http://flag', kubeconfig: file }, both)).toEqual(['http://flag', 'default'])
  expect(await found({ server: 'http://server', kubeconfig: file }, both)).toEqual(['http://file', 'file-ns'])
  expect(await found({ server: 'http://server', kubeconfig: variable }, both)).toEqual(['http://server', 'default'])
  expect(await found({ kubeconfig: variable }, { KUBECONFIG: variable })).toEqual(['http://variable', 'variable-ns'])
  const data = join(folder, 'data')
  expect(await found({}, { HOMEOSTAT_DATA: data })).toEqual(['http://data', 'data-ns'])
  const colony = { COLONIES_SERVER_HOST: 'colony', COLONIES_SERVER_PORT: '50080', COLONIES_INSECURE: 'true' }
  expect(await found({}, { HOMEOSTAT_DATA: data, ...colony })).toEqual(['http://colony:50080', 'default'])
  expect(await found({}, { COLONIES_SERVER_HOST: 'colony' })).toEqual(['https://colony', 'default'])
})

test('a context is taken from the kubeconfig that has it, and a server changes its address', async () => {
  const folder = kubeconfigs('file')
  const file = join(folder, 'file/kubeconfig')
  expect(await found({ kubeconfig: file, context: 'c' })).toEqual(['http://file', 'file-ns'])
  expect(await found({ context: 'c' }, { KUBECONFIG: file })).toEqual(['http://file', 'file-ns'])
  expect(await found({ kubeconfig: file, context: 'c', server: 'http://flag' })).toEqual(['http://flag', 'file-ns'])
  await expect(found({ kubeconfig: file, context: 'd' })).rejects.toThrow(
    'the kubeconfig has no context "d"; it has "c"',
  )
  await expect(found({ context: 'd' }, { KUBECONFIG: file })).rejects.toThrow(
    `no kubeconfig has a context "d": ${file} has "c"`,
  )
})

test('the namespace that is said goes before that of the kubeconfig', async () => {
  const file = join(kubeconfigs('file'), 'file/kubeconfig')
  expect(await found({ kubeconfig: file, namespace: 'said' })).toEqual(['http://file', 'said'])
})

test('a defect of the command is no failure of the server', async () => {
  const work = withServer({ ...nothing, server: 'http://x' }, fakeTerminal(), async () => {
    throw new TypeError('a mistake')
  })
  await expect(work).rejects.toThrow(TypeError)
})
