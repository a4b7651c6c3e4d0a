import { expect, test } from 'vitest'
import { publishOrder } from './publish-order.ts'
import { publishedManifest } from './published-manifest.ts'

const shared = {
  license: 'Apache-2.0',
  keywords: ['k'],
  repository: { type: 'git', url: 'git+https://example.org/r.git' },
}

test('a published package leads to built files with their types, and has nothing of the clone', () => {
  const manifest = {
    name: '@homeostat/a',
    version: '1.0.0',
    exports: {
      '.': { 'homeostat-source': './src/index.ts', default: './dist/index.js' },
      './early': { 'homeostat-source': './src/deep/start.ts', default: './dist/early.js' },
      './kinds/*': { 'homeostat-source': './src/kinds/*.ts', default: './dist/kinds/*.js' },
      './testing/*': { 'homeostat-source': './test/*.ts' },
    },
    bin: { a: './src/main.ts' },
    files: ['dist', 'facts'],
    dependencies: { '@homeostat/b': '1.0.0' },
    devDependencies: { '@homeostat/c': '1.0.0' },
  }
  expect(publishedManifest(manifest, shared, 'packages/a')).toEqual({
    name: '@homeostat/a',
    version: '1.0.0',
    license: 'Apache-2.0',
    keywords: ['k'],
    repository: { ...shared.repository, directory: 'packages/a' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './early': { types: './dist/deep/start.d.ts', default: './dist/early.js' },
      './kinds/*': { types: './dist/kinds/*.d.ts', default: './dist/kinds/*.js' },
    },
    bin: { a: './dist/main.js' },
    files: ['dist', 'facts'],
    dependencies: { '@homeostat/b': '1.0.0' },
  })
})

test('what a library carries itself is not installed besides', () => {
  const dependencies = { '@homeostat/meta': '1.0.0', yaml: '2.0.0' }
  const manifest = { name: '@homeostat/client', version: '1.0.0', dependencies }
  expect(publishedManifest(manifest, shared, 'packages/client')).toMatchObject({
    dependencies: { '@homeostat/meta': '1.0.0' },
  })
  expect(publishedManifest(manifest, shared, 'packages/client')).not.toHaveProperty('dependencies.yaml')
  expect(publishedManifest(manifest, shared, 'packages/apiserver')).toMatchObject({ dependencies })
})

test('a package is published after those that it depends on', () => {
  const order = publishOrder([
    { name: 'a', dependencies: { c: '1', outside: '1' } },
    { name: 'b' },
    { name: 'c', dependencies: { b: '1' } },
  ])
  expect(order.map(({ name }) => name)).toEqual(['b', 'c', 'a'])
  expect(() => publishOrder([{ name: 'a', dependencies: { a: '1' } }])).toThrow(/depend on each other: a/)
})
