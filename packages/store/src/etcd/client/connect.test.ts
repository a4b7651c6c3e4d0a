// What the client makes of answers that a real member cannot be made to give.

import { constants } from 'node:http2'
import { WireWriter } from '@homeostat/protobuf/wire'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectEtcd } from './connect.ts'
import type { EtcdClient } from './contract.ts'
import { type Answer, fakeMember, headersOnly, sendBytes, succeed } from './fake-member.fixture.ts'
import { framed } from './grpc-frame.ts'

/** A txn's answer, a range's, too: all that is read is the header's revision. */
function answer(revision: number): WireWriter {
  const writer = new WireWriter()
  writer.bool(2, true)
  const before = writer.length
  writer.integer(3, revision)
  writer.close(1, before)
  return writer
}

const fine: Answer = (stream) => succeed(answer(9))(stream)
const reset =
  (code: number): Answer =>
  (stream) =>
    stream.close(code)
/** Ends the connection, and says that nothing above `last` was looked at. */
const goAway =
  (last: (stream: number) => number): Answer =>
  (stream, session) => {
    session.goaway(constants.NGHTTP2_NO_ERROR, last(stream.id ?? 0))
    setImmediate(() => session.destroy())
  }

async function clientOf(endpoints: readonly string[], options = {}): Promise<EtcdClient> {
  const client = await connectEtcd({ endpoints, healthMs: 60_000, ...options })
  onTestFinished(() => client.close())
  return client
}

const WRITE = { compare: [], success: [{ type: 'put', key: 'k', value: [Buffer.from('v')] } as const] }

describe('a txn', () => {
  it.each<[string, Answer, object]>([
    [
      'is refused in headers alone',
      headersOnly({ 'grpc-status': 8, 'grpc-message': 'etcdserver: mvcc: database space exceeded' }),
      { kind: 'no-space', maybeApplied: false, grpcStatus: 8 },
    ],
    [
      'may have been applied when the member ran out of time',
      headersOnly({ 'grpc-status': 14, 'grpc-message': 'etcdserver: request timed out' }),
      { kind: 'timeout', maybeApplied: true },
    ],
    [
      'is told what was percent-encoded',
      headersOnly({ 'grpc-status': 2, 'grpc-message': 'a%20%C3%BC' }),
      { message: expect.stringContaining('a ü'), maybeApplied: true },
    ],
    ['is answered by a proxy', headersOnly({ ':status': 502 }), { kind: 'unreachable', maybeApplied: true }],
    ['is answered by something else', sendBytes(Buffer.from('<html>'), {}), { kind: 'protocol', maybeApplied: true }],
    [
      'gets half a message',
      sendBytes(framed(answer(9)).subarray(0, 7), { 'grpc-status': '0' }),
      { kind: 'protocol', maybeApplied: true },
    ],
    ['gets no message', sendBytes(Buffer.alloc(0), { 'grpc-status': '0' }), { kind: 'protocol', maybeApplied: true }],
    [
      'gets a compressed one',
      sendBytes(Buffer.from([1, 0, 0, 0, 0]), { 'grpc-status': '0' }),
      { kind: 'protocol', maybeApplied: true },
    ],
    ['gets nonsense', sendBytes(framed(garbage()), { 'grpc-status': '0' }), { kind: 'protocol', maybeApplied: true }],
    ['is reset', reset(constants.NGHTTP2_INTERNAL_ERROR), { kind: 'unreachable', maybeApplied: true }],
    ['was seen before the member went away', goAway((stream) => stream), { kind: 'unreachable', maybeApplied: true }],
  ])('%s', async (_, first, error) => {
    const member = await fakeMember([first, fine])
    const client = await clientOf([member.endpoint])
    await expect(client.txn(WRITE)).rejects.toMatchObject(error)
    expect(member.calls).toHaveLength(1)
    // The next one is answered, by another connection if need be.
    expect((await client.txn(WRITE)).revision).toBe(9)
  })

  it.each<[string, Answer]>([
    ['was refused unseen', reset(constants.NGHTTP2_REFUSED_STREAM)],
    ['came after the last one that the member looked at', goAway((stream) => stream - 2)],
    ['met a member without a leader', headersOnly({ 'grpc-status': 14, 'grpc-message': 'etcdserver: no leader' })],
    ['met a learner', headersOnly({ 'grpc-status': 14, 'grpc-message': 'etcdserver: rpc not supported for learner' })],
  ])('is repeated at the next member when it %s', async (_, first) => {
    const member = await fakeMember([first])
    const next = await fakeMember([fine])
    const client = await clientOf([member.endpoint, next.endpoint])
    expect(await client.txn(WRITE)).toMatchObject({ revision: 9, succeeded: true })
    expect([member.calls.length, next.calls.length]).toEqual([1, 1])
    expect(client.health()).toEqual({ endpoint: next.endpoint, problems: [] })
  })

  it('that only reads is repeated whatever happened to it', async () => {
    const member = await fakeMember([reset(constants.NGHTTP2_INTERNAL_ERROR)])
    const next = await fakeMember([fine])
    const client = await clientOf([member.endpoint, next.endpoint])
    expect((await client.txn({ compare: [], success: [{ type: 'range', key: 'k' }] })).revision).toBe(9)
  })

  it('without an answer ends with its time, and may have been applied', async () => {
    const member = await fakeMember([() => {}])
    const client = await clientOf([member.endpoint], { requestTimeoutMs: 20 })
    await expect(client.txn(WRITE)).rejects.toMatchObject({ kind: 'timeout', maybeApplied: true })
  })

  it('ends by its signal', async () => {
    const stop = new AbortController()
    const member = await fakeMember([() => stop.abort()])
    const client = await clientOf([member.endpoint])
    await expect(client.txn(WRITE, { signal: stop.signal })).rejects.toMatchObject({
      kind: 'aborted',
      maybeApplied: true,
    })
  })
})

describe('a member is not used', () => {
  it.each(['3.5.21', '3.6.1', '3.4.30', 'soon'])('when its version is %s', async (version) => {
    const old = await fakeMember([fine], { version })
    const failure = await connectEtcd({ endpoints: [old.endpoint] }).catch((error) => error)
    expect(failure).toMatchObject({ kind: 'too-old', message: expect.stringContaining('3.5.22, 3.6.2 or newer') })
    const good = await fakeMember([fine])
    expect((await clientOf([old.endpoint, good.endpoint])).health().endpoint).toBe(good.endpoint)
  })

  it.each(['3.5.22', '3.6.2', '3.7.0', '4.0.0'])('unless it is new enough: %s', async (version) => {
    const member = await fakeMember([fine], { version })
    expect((await clientOf([member.endpoint])).health()).toEqual({ endpoint: member.endpoint, problems: [] })
  })

  it('while it learns, or knows no leader; what each said is told', async () => {
    const learner = await fakeMember([fine], { learner: true })
    const lonely = await fakeMember([fine], { leader: 0 })
    const failure = await connectEtcd({ endpoints: [learner.endpoint, lonely.endpoint] }).catch((error) => error)
    expect(failure).toMatchObject({ kind: 'no-leader', maybeApplied: false })
    expect(failure.message).toMatch(/is a learner.*knows of no leader/)
  })
})

it.each([
  [[], /at least one/],
  [['http://a:1', 'https://b:1'], /all https or all http/],
  [['a:2379'], /looks like/],
  [['https://user@a:2379'], /looks like/],
  [['https://a:2379/path'], /looks like/],
])('endpoints that make no sense are refused: %j', async (endpoints, message) => {
  await expect(connectEtcd({ endpoints })).rejects.toThrow(message)
})

function garbage(): WireWriter {
  const writer = new WireWriter()
  writer.raw(Buffer.from('0affff', 'hex'))
  return writer
}

describe('a watch', () => {
  it('whose response comes in fragments without an end is given up', async () => {
    const fragment = new WireWriter()
    fragment.bool(7, true)
    const event = fragment.length
    fragment.string(2, 'x'.repeat(1000))
    fragment.close(11, event)
    const bytes = framed(fragment)
    let sent = 0
    const member = await fakeMember([
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
        const more = () => {
          sent++
          if (!stream.destroyed) stream.write(bytes, () => setImmediate(more))
        }
        more()
      },
    ])
    const client = await clientOf([member.endpoint], { maxResponseBytes: 100_000 })
    const reading = async () => {
      for await (const _ of client.watch({ key: 'k', from: 1 }, new AbortController().signal));
    }
    await expect(reading()).rejects.toMatchObject({ kind: 'answer-too-large' })
    expect(sent).toBeGreaterThanOrEqual(99)
  })
})

it('a member that answers for itself and nothing else is not asked without a pause', async () => {
  const member = await fakeMember([headersOnly({ 'grpc-status': 14, 'grpc-message': 'try another' })])
  const client = await clientOf([member.endpoint])
  const question = client.range({ key: 'k' }, { timeoutMs: 500 })
  await expect(question).rejects.toMatchObject({ kind: 'unreachable', maybeApplied: false })
  expect(member.calls.length).toBeLessThanOrEqual(12)
})
