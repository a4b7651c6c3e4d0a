import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, it } from 'vitest'
import { readProject } from './read-project.ts'

it('reads the name, the version and the folders, from any folder inside the project', () => {
  const folder = temporaryFolder({
    'package.json': '{"name": "@shop/Shop_Operator", "version": "1.2.3"}',
    'src/main.ts': '',
    'main.js': '',
  })
  const project = readProject(join(folder, 'src'))
  expect(project).toEqual({
    folder,
    name: 'shop-operator',
    version: '1.2.3',
    entry: join(folder, 'src/main.ts'),
    examples: join(folder, 'examples'),
    deploy: join(folder, 'deploy'),
    chart: join(folder, 'chart'),
    state: join(folder, '.homeostat'),
  })
  expect(readProject(folder)).toEqual(project)
})

it('takes the entry of the command line, then of package.json, then the usual ones', () => {
  const named = '{"name": "a", "homeostat": {"entry": "lib/go.ts"}}'
  const folder = temporaryFolder({ 'package.json': named, 'lib/go.ts': '', 'main.js': '', 'other.ts': '' })
  expect(readProject(folder, 'other.ts').entry).toBe(join(folder, 'other.ts'))
  expect(readProject(join(folder, 'lib'), '../other.ts').entry).toBe(join(folder, 'other.ts'))
  expect(readProject(folder).entry).toBe(join(folder, 'lib/go.ts'))
  expect(readProject(temporaryFolder({ 'package.json': '{}', 'main.js': '' })).entry).toMatch(/main\.js$/)
})

it('says what is missing', () => {
  const empty = temporaryFolder({ 'package.json': '{}' })
  expect(() => readProject(empty)).toThrow(
    /neither src\/main\.ts, main\.ts, src\/main\.js, main\.js, nor a "homeostat": \{"entry"/,
  )
  expect(() => readProject(empty, 'x.ts')).toThrow(/^x\.ts does not exist/)
  expect(() => readProject(temporaryFolder({ 'package.json': '{"homeostat": {"entry": "gone.ts"}}' }))).toThrow(
    /gone\.ts, which package\.json names, does not exist/,
  )
  expect(() => readProject(temporaryFolder({ 'package.json': '{' }))).toThrow(/package\.json cannot be read/)
})
