import { expect, test } from 'vitest'
import { isNoun } from '../verbs/verb-row.ts'
import { verbTable } from '../verbs/verb-table.ts'
import { upOptions } from './option-groups.ts'
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
  [['--store', 'postgresql'], {}, '--store postgresql: must be one of sqlite, etcd, memory'],
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
  const variables = rows.flatMap((row) => ('env' in row && row.env ? [row.env] : []))
  expect(new Set(variables).size).toBe(variables.length)
})

test('a flag that stands alone is true, and has a letter where one is usual', () => {
  expect(parseOptions(['watch', 'output'], [], {}).values).toEqual({ watch: false, output: undefined })
  expect(parseOptions(['watch', 'output'], ['-w', '-o', 'wide'], {}).values).toEqual({ watch: true, output: 'wide' })
  expect(parseOptions(['watch', 'output'], ['-wo', 'json'], {}).values).toEqual({ watch: true, output: 'json' })
  expect(() => parseOptions(['watch'], ['--watch=no'], {})).toThrow(/--watch/)
})

test('a flag may be said to be true or false, and a letter may have its value after an equals sign', () => {
  const flags = (...argv: string[]) =>
    parseOptions(['wait-deleted', 'watch', 'no-headers', 'get-output'], argv, {}).values
  expect(flags()).toMatchObject({ 'wait-deleted': true, watch: false, 'no-headers': false })
  expect(flags('--wait=false', '--watch=true', '--no-headers', '-o=json')).toEqual({
    'wait-deleted': false,
    watch: true,
    'no-headers': true,
    'get-output': 'json',
  })
  expect(parseOptions(['watch'], ['--', '--watch=false'], {}).positionals).toEqual(['--watch=false'])
  expect(() => flags('--no-wait')).toThrow(/Unknown option '--no-wait'/)
})

test('the letter f is the file of one verb and the following of another', () => {
  expect(parseOptions(['file'], ['-f', 'a.json'], {}).values.file).toBe('a.json')
  expect(parseOptions(['follow'], ['-f', 'a'], {})).toMatchObject({ values: { follow: true }, positionals: ['a'] })
})

test('a number below zero may stand after its flag', () => {
  expect(parseOptions(['priority'], ['--priority', '-5', 'x'], {})).toMatchObject({
    values: { priority: -5 },
    positionals: ['x'],
  })
  expect(parseOptions(['arg'], ['--arg', '-5', '--arg=-6', '--', '--arg', '-7'], {})).toMatchObject({
    values: { arg: ['-5', '-6'] },
    positionals: ['--arg', '-7'],
  })
})

test('what is repeated keeps its commas; seconds may be written as a duration', () => {
  expect(parseOptions(['arg'], ['--arg', '[1,2]', '--arg', 'a,b'], {}).values.arg).toEqual(['[1,2]', 'a,b'])
  expect(parseOptions(['ttl'], ['--ttl', '90'], {}).values.ttl).toBe(90)
  expect(parseOptions(['ttl'], ['--ttl', '5m'], {}).values.ttl).toBe(300)
  expect(() => parseOptions(['ttl'], ['--ttl', 'soon'], {})).toThrow('must be seconds or a duration, such as 90 or 5m')
})

test('two options of one verb never have the same letter', async () => {
  for (const row of Object.values(verbTable)) {
    const verbs = isNoun(row) ? Object.values(await row.verbs()) : [row]
    for (const { options } of verbs) {
      const letters = options.flatMap((name) => ('short' in optionTable[name] ? [optionTable[name].short] : []))
      expect(new Set(letters).size).toBe(letters.length)
    }
  }
})
