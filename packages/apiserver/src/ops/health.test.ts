import { describe, expect, it } from 'vitest'
import { healthResponse, pingCheck } from './health.ts'

const store = (reason?: string) => ({ name: 'store', check: () => reason })

describe('health', () => {
  it('is ok in one word', () => {
    expect(healthResponse('healthz', [pingCheck, store()], {})).toEqual({
      status: 200,
      contentType: 'text/plain; charset=utf-8',
      body: 'ok',
    })
  })

  it('names every check when asked to be verbose', () => {
    expect(healthResponse('readyz', [pingCheck, store()], { verbose: true }).body).toBe(
      '[+]ping ok\n[+]store ok\nreadyz check passed\n',
    )
  })

  it('fails with the reason, verbose or not', () => {
    expect(healthResponse('readyz', [pingCheck, store('the disk is full')], {})).toMatchObject({
      status: 500,
      body: '[+]ping ok\n[-]store failed: the disk is full\nreadyz check failed\n',
    })
  })

  it('tells who has not logged in that a check fails, and not why', () => {
    const checks = [
      store('https://10.0.0.1:2379: denied (user root)'),
      { ...store('nearly full'), advisory: true },
    ] as const
    for (const query of [{ verbose: true }, { only: 'store' }]) {
      const { status, body } = healthResponse('readyz', checks, { ...query, withholdReasons: true })
      expect(status).toBe(500)
      expect(body).toContain('reason withheld')
      expect(body).not.toMatch(/10\.0|root|nearly/)
    }
  })

  it('leaves out excluded checks and says which names it did not know', () => {
    expect(
      healthResponse('livez', [pingCheck, store('full')], { verbose: true, exclude: ['store', 'etcd'] }),
    ).toMatchObject({
      status: 200,
      body: '[+]ping ok\n[+]store excluded: ok\nwarn: some health checks cannot be excluded: no matches for "etcd"\nlivez check passed\n',
    })
  })

  it('answers for one check by name', () => {
    const checks = [pingCheck, store('full')]
    expect(healthResponse('livez', checks, { only: 'ping' })).toMatchObject({ status: 200, body: 'ok' })
    expect(healthResponse('livez', checks, { only: 'store' })).toMatchObject({
      status: 500,
      body: 'internal server error: full\n',
    })
    expect(healthResponse('livez', checks, { only: 'nope' }).status).toBe(404)
  })

  it('shows an advisory check without failing, except when it is requested by name', () => {
    const checks = [pingCheck, { ...store('1 damaged record'), advisory: true as const }]
    expect(healthResponse('readyz', checks, {})).toMatchObject({ status: 200, body: 'ok' })
    expect(healthResponse('readyz', checks, { verbose: true })).toMatchObject({
      status: 200,
      body: '[+]ping ok\n[!]store warns: 1 damaged record\nreadyz check passed\n',
    })
    expect(healthResponse('readyz', checks, { only: 'store' }).status).toBe(500)
  })

  it('takes a check that throws for a failed one', () => {
    const broken = {
      name: 'broken',
      check: () => {
        throw new Error('no way\nto know')
      },
    }
    expect(healthResponse('readyz', [broken], {}).body).toContain(
      '[-]broken failed: the check itself failed: no way to know\n',
    )
  })
})
