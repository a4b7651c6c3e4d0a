import { stderrLog } from '@homeostat/base/stderr-log'
import { expect, it } from 'vitest'
import { readLogLine } from './log-entry.ts'

function written(log: (write: (text: string) => void) => void) {
  let text = ''
  log((line) => {
    text += line
  })
  return readLogLine(text.trimEnd())
}

/** As pino writes it by default. */
const pinoLine = (level: number, fields: object) =>
  JSON.stringify({ level, time: 1793000000000, pid: 12, hostname: 'here', ...fields })

const blog = { kind: 'Site', namespace: 'default', name: 'blog' }

it('reads what an operator logs, with the object it is about', () => {
  const entry = written((write) => stderrLog({}, { write }).info({ ...blog, replicas: 2 }, 'made a Deployment'))
  expect(entry).toEqual({
    level: 'info',
    message: 'made a Deployment',
    object: 'Site default/blog',
    fields: { replicas: 2 },
    stack: undefined,
  })
})

it('joins an error to the message and keeps its stack', () => {
  const err = new TypeError('no image')
  const own = written((write) => stderrLog({}, { write }).error({ ...blog, err }, 'reconcile failed'))
  const { message, stack } = err
  const pinos = readLogLine(
    pinoLine(50, { ...blog, err: { type: 'TypeError', message, stack }, msg: 'reconcile failed' }),
  )
  for (const entry of [own, pinos]) {
    expect(entry).toMatchObject({ level: 'error', message: 'reconcile failed: no image', object: 'Site default/blog' })
    expect(entry?.stack).toMatch(/^TypeError: no image\n {4}at /)
  }
})

it('reads the levels of pino and leaves out its process and machine', () => {
  const entry = readLogLine(pinoLine(10, { kind: 'Site', msg: 'm' }))
  expect(entry).toMatchObject({ level: 'debug', message: 'm', object: undefined, fields: { kind: 'Site' } })
  expect(readLogLine(pinoLine(60, { msg: 'm' }))?.level).toBe('error')
})

it.each(['hello', '{', '{"a":1}', '{"level":"info"}', '["level"]', '{"level":"loud","message":"m"}', ''])(
  '%j is no line of a log',
  (line) => {
    expect(readLogLine(line)).toBeUndefined()
  },
)
