import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { fakeTerminal } from '../terminal.fixture.ts'
import { kustomizedFiles } from './kustomization.ts'

async function read(files: Readonly<Record<string, string>>, folder = '.'): Promise<string[]> {
  const root = temporaryFolder(files)
  const shown = (text: string) => text.replaceAll(`${root}/`, '').replaceAll(root, '.')
  try {
    return (await kustomizedFiles(join(root, folder), fakeTerminal())).map(shown)
  } catch (error) {
    return [shown((error as Error).message)]
  }
}

test('the files of a base come in its order, those of other bases in their place', async () => {
  const files = {
    'overlay/kustomization.yml': 'resources: [own.yaml, ../base]',
    'overlay/own.yaml': '',
    'base/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- b.yaml\n- a.yaml\n',
    'base/a.yaml': '',
    'base/b.yaml': '',
  }
  expect(await read(files, 'overlay')).toEqual(['overlay/own.yaml', 'base/b.yaml', 'base/a.yaml'])
})

test.each<[string, string, RegExp]>([
  [
    'a field that changes objects',
    'namePrefix: a-\nresources: [x.yaml]',
    /namePrefix: only resources .*kubectl kustomize/,
  ],
  ['a file that is missing', 'resources: [y.yaml]', /there is no y\.yaml/],
  ['itself', 'resources: [.]', /lists itself/],
  ['nothing', 'resources: []', /lists no resources/],
  ['no list', 'resources: x.yaml', /must be a list/],
])('%s is refused', async (_, text, message) => {
  const [said] = await read({ 'kustomization.yaml': text, 'x.yaml': '' })
  expect(said).toMatch(message)
})

test('a folder without a kustomization is refused with what to type', async () => {
  expect(await read({ 'x.yaml': '' })).toEqual(['. has no kustomization.yaml; apply its files with -f .'])
})
