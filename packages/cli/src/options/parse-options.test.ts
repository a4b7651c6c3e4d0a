import { expect, test } from 'vitest'
import { upOptions } from '../verbs/verb-table.ts'
import { optionTable } from './option-table.ts'
import { parseOptions } from './parse-options.ts'

test('without flags and environment every option has the default of the table', () => {
  const { values, help } = parseOptions(upOptions, [], {})
  expect(values).toMatchObject({ port: 3000, host: '127.0.0.1', 'data-dir': '.homeostat', store: 'sqlite', with: [] })
  expect(help).toBe(false)
})

test('the environment beats the default and a flag beats the environment', () => {
  expect(parseOptions(['port'], [], { PORT: '8080' }).values.port).toBe(8080)
  expect(parseOptions(['port'], ['--port', '9'], { PORT: '8080' }).values.port).toBe(9)
})

test('an empty variable counts as absent', () => {
  expect(parseOptions(['port'], [], { PORT: '' }).values.port).toBe(3000)
})

test('a list grows with every flag, and commas separate it in the environment', () => {
  expect(parseOptions(['with'], ['--with', 'a', '--with=b'], {}).values.with).toEqual(['a', 'b'])
  expect(parseOptions(['with'], [], { HOMEOSTAT_WITH: 'a,b' }).values.with).toEqual(['a', 'b'])
})

test('durations are read as Go writes them', () => {
  expect(parseOptions(['horizon'], ['--horizon', '1h30m'], {}).values.horizon).toBe(5_400_000)
})

test.each([
  [['--port', '70000'], {}, '--port 70000: must be a whole number from 0 to 65535'],
  [['--port', '-1'], {}, /port/],
  [[], { PORT: 'http' }, 'PORT=http: must be a whole number from 0 to 65535'],
  [['--store', 'etcd'], {}, '--store etcd: must be one of sqlite, memory'],
  [['--horizon', 'soon'], {}, /--horizon soon: must be a duration such as 90s/],
  [['--data-dir='], {}, /must not be empty/],
  [['--colour'], {}, /Unknown option '--colour'.*--help lists what there is/],
])('%j with %j is refused with what would be right', (argv, env, message) => {
  expect(() => parseOptions(upOptions, argv, env)).toThrow(message)
})

test('every default is a value its own type accepts, and no two options share a variable', () => {
  const rows = Object.values(optionTable)
  for (const { type, default: fallback } of rows)
    expect(() => type.parse(fallback === undefined ? [] : [fallback])).not.toThrow()
  expect(new Set(rows.map(({ env }) => env)).size).toBe(rows.length)
})
