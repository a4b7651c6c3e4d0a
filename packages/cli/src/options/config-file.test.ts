import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readConfigFile } from './config-file.ts'
import { configText } from './config-text.ts'
import { upOptions } from './option-groups.ts'
import { parseOptions } from './parse-options.ts'

function parse(text: string, argv: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({ 'h.yaml': text, 'add-on/index.ts': '' })
  const file = readConfigFile(join(folder, 'h.yaml'), upOptions)
  return { folder, ...parseOptions(upOptions, argv, env, file) }
}

test('a flag precedes its variable, that the file, and that the default', () => {
  const text = 'port: 1\nhost: ::1\nhorizon: 1m\n'
  const { values } = parse(text, ['--port', '3'], { PORT: '2', HOMEOSTAT_HORIZON: '2m' })
  expect(values).toMatchObject({ port: 3, horizon: 120_000, host: '::1', 'events-limit': 1000 })
})

test('JSON is fine, and a list may be one value', () => {
  expect(parse('{"port": 1, "with": ["a", "b"], "runtime": "process"}').values).toMatchObject({
    port: 1,
    with: ['a', 'b'],
    runtime: ['process'],
  })
})

test('paths are relative to the file; a module that is not there is a package', () => {
  const { values, folder } = parse('data-dir: data\nwith: [add-on, some-package]\n')
  expect(values).toMatchObject({ 'data-dir': join(folder, 'data'), with: [join(folder, 'add-on'), 'some-package'] })
  expect(parse('data-dir: data', ['--data-dir', 'here']).values['data-dir']).toBe('here')
})

test.each(['', '# nothing', '---', 'null', '{}'])('%j sets nothing', (text) => {
  expect(parse(text).values.port).toBe(3000)
})

test.each([
  ['a: 1', 'h.yaml:1: there is no option a; homeostat up --help lists what there is'],
  ['port: 1\nhsot: ::1', 'h.yaml:2: there is no option hsot; did you mean host?'],
  ['dataDir: x', 'h.yaml:1: there is no option dataDir; did you mean data-dir?'],
  ['config: other.yaml', 'there is no option config'],
  ['__proto__: 1', 'there is no option __proto__'],
  ['constructor: 1', 'there is no option constructor'],
  ['<<: {port: 1}', 'there is no option <<'],
  ['? [port]\n: 1', 'there is no option of this form'],
  ['host: ::1\nport: [1]', 'h.yaml:2: port must be one value, not a list'],
  ['port: {from: 1}', 'port must be one value, not a mapping'],
  ['port:', 'port must be one value, not null'],
  ['with: [[a]]', 'with must be one value or a list of values, not a list'],
  ['host: &a ::1\nwith: *a', 'h.yaml:2: with must be one value or a list of values, not an alias'],
  ['port: 70000', 'h.yaml:1: port 70000: must be a whole number from 0 to 65535'],
  ['port: 0x10', 'port 0x10: must be a whole number'],
  ['port: 1e3', 'port 1e3: must be a whole number'],
  ['\n\nhorizon: soon', 'h.yaml:3: horizon soon: must be a duration'],
  ['store: true', 'store true: must be one of sqlite, etcd, memory'],
  ['data-dir: ""', 'must not be empty'],
  ['port: 1\nport: 2', 'h.yaml:2: it cannot be read as YAML: Map keys must be unique'],
  ['port: "1', 'h.yaml:1: it cannot be read as YAML'],
  ['port: !secret 1', 'it cannot be read as YAML'],
  ['port: 1\n---\nport: 2', 'h.yaml:2: a second document begins here'],
  ['- port', 'it must hold options, such as port: 3000'],
  ['port', 'it must hold options'],
])('%j is refused with its line', (text, message) => {
  expect(() => parse(text)).toThrow(message)
})

test('a file that is missing, a folder, too large, or open to everybody is one clear line', () => {
  const folder = temporaryFolder({ 'large.yaml': '#'.repeat(2 ** 20 + 1), 'open.yaml': 'port: 1' })
  chmodSync(join(folder, 'open.yaml'), 0o666)
  const read = (name: string) => () => readConfigFile(join(folder, name), upOptions)
  expect(read('missing.yaml')).toThrow(/^--config .*missing.yaml: there is no such file$/)
  expect(read('.')).toThrow(/^--config .*: EISDIR/)
  expect(read('large.yaml')).toThrow('it has 1048577 bytes, and a configuration at most 1048576')
  expect(read('open.yaml')).toThrow(/everybody may write to it; run chmod o-w \S+open.yaml$/)
})

test('the printed configuration says where each value comes from', () => {
  const { settings, folder } = parse('store: memory\nport: 5\n', ['--port', '3'], { HOMEOSTAT_LOG_LEVEL: 'warn' })
  const lines = configText(settings).split('\n')
  const of = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.replace(/ +/g, ' ')
  expect(of('port')).toBe('port: 3 # --port')
  expect(of('log-level')).toBe('log-level: warn # HOMEOSTAT_LOG_LEVEL')
  expect(of('store')).toBe(`store: memory # ${join(folder, 'h.yaml')}:1`)
  expect(of('with')).toBe('with: [] # default')
})

test('the printed configuration is a file that means the same, whatever the values are', () => {
  const file = join(temporaryFolder(), 'h.yaml')
  const text = fc.string({ minLength: 1, unit: 'binary' })
  fc.assert(
    fc.property(text, text, text, (path, name, module) => {
      const argv = [`--data-dir=/${path}`, `--host=${name}`, `--with=@${module},b`]
      const { settings, values } = parseOptions(upOptions, argv, {})
      writeFileSync(file, configText(settings))
      const again = parseOptions(upOptions, [], {}, readConfigFile(file, upOptions))
      expect(again.values).toEqual({ ...values, 'data-dir': resolve(values['data-dir']) })
    }),
  )
})
