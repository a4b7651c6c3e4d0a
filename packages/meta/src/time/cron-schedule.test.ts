import { describe, expect, it } from 'vitest'
import { readCronSchedule } from './cron-schedule.ts'

const fieldsOf = (text: string) => {
  const read = readCronSchedule(text)
  if (typeof read === 'string' || !('fields' in read)) return read
  return read.fields.map((values) => values?.join(',') ?? '*').join(' ')
}

describe('a cron schedule', () => {
  it.each([
    ['* * * * *', '* * * * *'],
    ['*/20 0-6/2 1,15 jan-MAR mon-fri', '0,20,40 0,2,4,6 1,15 1,2,3 1,2,3,4,5'],
    ['0 0 ? * 0', '0 0 * * 0'],
    ['50/4 * * * *', '50,54,58 * * * *'],
    // `*/1` is any day; `*/2` is a list of days, of which one is enough when the day of the week is restricted, too.
    ['0 0 */1 * 1', '0 0 * * 1'],
    ['0 0 */10 * 1', '0 0 1,11,21,31 * 1'],
    ['0/99 5,,5 * * *', '0 5 * * *'],
    [', * * * *', ' * * * *'],
    ['@hourly', '0 * * * *'],
    ['@weekly', '0 0 * * 0'],
  ])('%s is %s', (text, fields) => {
    expect(fieldsOf(text)).toBe(fields)
  })

  it('has an interval of whole seconds, and a zone in older objects', () => {
    expect(readCronSchedule('@every 1h30m')).toEqual({ everyMs: 5_400_000 })
    expect(readCronSchedule('@every 1ms')).toEqual({ everyMs: 1000 })
    expect(readCronSchedule('@every -5s')).toEqual({ everyMs: 1000 })
    expect(readCronSchedule('CRON_TZ=Europe/Berlin @daily')).toMatchObject({ zone: 'Europe/Berlin' })
  })

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 7',
    '5-3 * * * *',
    '*/0 * * * *',
    'x * * * *',
    '@sometimes',
    '@constructor',
    '@every now',
    '1-2-3 * * * *',
    '1/2/3 * * * *',
  ])('%s is bad', (text) => {
    expect(readCronSchedule(text)).toBeTypeOf('string')
  })
})
