import { type Status, StatusError } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../send/connection-error.ts'
import {
  afterEnd,
  DisorderError,
  type Ended,
  type Next,
  NotServedError,
  SilenceError,
  StreamsIgnoredError,
  UnreadableError,
} from './recovery.ts'

const watched: Ended = {
  start: 'resume',
  listed: true,
  answered: true,
  progressed: true,
  lastedMs: 60_000,
  error: undefined,
  failures: 0,
}

function status(code: number, more: Partial<Status> = {}): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, ...more })
}

const broken = new Error('socket hang up')

const rows: [string, Partial<Ended>, Partial<Next>][] = [
  ['a clean end resumes at once, and is no trouble', {}, { from: 'revision', wait: 'none', trouble: undefined }],
  [
    'a clean end at once and without a word waits, so that it is no loop',
    { lastedMs: 5, progressed: false },
    { from: 'revision', wait: 'backoff', trouble: undefined },
  ],
  [
    'an end before the list was complete lists again',
    { start: 'stream', listed: false, progressed: false },
    { from: 'anew', wait: 'backoff' },
  ],
  [
    'a broken connection resumes after a while',
    { error: broken },
    { from: 'revision', wait: 'backoff', trouble: new ConnectionError('socket hang up') },
  ],
  [
    'a connection that breaks during the list lists again',
    { error: broken, start: 'stream', listed: false },
    { from: 'anew', wait: 'backoff' },
  ],
  [
    'silence resumes at once, and is no trouble: there may be nothing to say',
    { error: new SilenceError() },
    { from: 'revision', wait: 'none', trouble: undefined },
  ],
  [
    'silence instead of an answer is a trouble',
    { error: new SilenceError('silence'), answered: false },
    { from: 'revision', wait: 'none', trouble: new SilenceError('silence') },
  ],
  [
    'silence before the first state is complete is a trouble',
    { error: new SilenceError('silence'), start: 'stream', listed: false },
    { from: 'anew', wait: 'none', trouble: new SilenceError('silence') },
  ],
  ['410 lists again at once', { error: status(410) }, { from: 'anew', wait: 'none' }],
  ['reason Expired is the same', { error: status(200, { reason: 'Expired' }) }, { from: 'anew' }],
  ['reason Gone is the same', { error: status(500, { reason: 'Gone' }) }, { from: 'anew' }],
  [
    '410 right after a list waits, so that it is no loop of lists',
    { error: status(410), start: 'list', progressed: false },
    { from: 'anew', wait: 'backoff' },
  ],
  ['500 resumes after a while', { error: status(500) }, { from: 'revision', wait: 'backoff' }],
  ['403 resumes after a while', { error: status(403) }, { from: 'revision', wait: 'backoff', vanished: false }],
  [
    '429 waits at least as long as the server says',
    { error: status(429, { details: { retryAfterSeconds: 7 } }) },
    { from: 'revision', wait: 'backoff', atLeastMs: 7000 },
  ],
  ['the first 404 lists again soon', { error: status(404) }, { from: 'anew', vanished: false, atMostMs: 5000 }],
  ['the second 404 means that the kind is gone', { error: status(404), failures: 1 }, { from: 'anew', vanished: true }],
  ['so does a kind that is not served', { error: new NotServedError(), failures: 1 }, { vanished: true }],
  [
    'a server that refuses initial events is asked for a list at once',
    { error: status(422), start: 'stream', listed: false },
    { from: 'anew', wait: 'none', refusesStreams: true, trouble: undefined },
  ],
  [
    'so is one that says 400',
    { error: status(400), start: 'stream', listed: false },
    { wait: 'none', refusesStreams: true },
  ],
  [
    'so is one that ignores what it does not know',
    { error: new StreamsIgnoredError(), start: 'stream', listed: false },
    { wait: 'none', refusesStreams: true },
  ],
  [
    'so is one whose store cannot do it, which it calls an error of its own',
    {
      error: status(500, { message: 'the required storage feature RequestWatchProgress is disabled' }),
      start: 'stream',
      listed: false,
    },
    { from: 'anew', wait: 'none', refusesStreams: true, trouble: undefined },
  ],
  [
    'any other 500 to a stream is a trouble like others',
    { error: status(500), start: 'stream', listed: false },
    { from: 'anew', wait: 'backoff', refusesStreams: false },
  ],
  [
    '400 to a list is a trouble like others',
    { error: status(400), start: 'list', listed: false },
    { wait: 'backoff', refusesStreams: false },
  ],
  ['400 to a revision lists again', { error: status(400) }, { from: 'anew', wait: 'backoff' }],
  [
    'a line that is not JSON is asked for again',
    { error: new UnreadableError() },
    { from: 'revision', wait: 'backoff' },
  ],
  [
    'if it comes again, the state is listed',
    { error: new UnreadableError(), failures: 1, progressed: false },
    { from: 'anew', wait: 'backoff' },
  ],
  ['an event out of order lists again', { error: new DisorderError() }, { from: 'anew' }],
  [
    'a revision that the server has not reached is asked for again, as another server may be behind',
    { error: status(504, { message: 'Too large resource version: 9, current: 5' }), failures: 1 },
    { from: 'revision' },
  ],
  [
    'if that does not help, history began anew and the state is listed',
    { error: status(504, { message: 'Too large resource version: 9, current: 5' }), failures: 2 },
    { from: 'anew' },
  ],
]

describe('after a connection ended', () => {
  it.each(rows)('%s', (_, ended, next) => {
    expect(afterEnd({ ...watched, ...ended })).toMatchObject(next)
  })
})
