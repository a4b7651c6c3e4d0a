// The readers of short texts, which walk over characters, against other readings of the same: regular expressions, Node's own, Date.

import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEnvironment, stringType } from '../src/index.ts'

const environment = createEnvironment({ variables: { self: stringType } })

function evaluating(text: string) {
  const { program, issues } = environment.compile(text)
  if (program === undefined) throw new Error(issues.text)
  return (self: string) => {
    const { value, error } = program.evaluate({ self })
    return error === undefined ? value : error.message
  }
}

/** Texts that are nearly right. */
function nearly(pieces: readonly string[]) {
  return fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }).map((found) => found.join(''))
}

function agrees(texts: fc.Arbitrary<string>, given: (text: string) => unknown, other: (text: string) => unknown) {
  fc.assert(
    fc.property(texts, (text) => {
      expect(given(text), text).toEqual(other(text))
    }),
    { numRuns: 2000 },
  )
}

describe('what reads a short text agrees with another reading of it', () => {
  it('quantities', () => {
    const shape = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,3})?$/
    agrees(
      nearly(['1', '0', '.', '5', 'm', 'M', 'Mi', 'K', 'Ki', 'e3', 'E-2', 'e', '+', '-', ' ']),
      evaluating('isQuantity(self)'),
      (text) => shape.test(text),
    )
  })

  it('addresses', () => {
    const octets = ['1', '0', '255', '256', '.', '::', ':', 'ffff', 'g', '12345', 'FE80', '1.2.3.4']
    const isMapped = (text: string) => /^[0:]*:ffff:[^:]*(?::[^:]*)?$/i.test(text)
    agrees(
      nearly(octets).filter((text) => !isMapped(text)),
      evaluating('isIP(self)'),
      (text) => isIP(text) > 0,
    )
  })

  it('networks', () => {
    agrees(
      nearly(['10.0.0.0', '::', '1', '/', '/8', '/32', '/33', '/128', '/129', '/08', ' ']),
      evaluating('isCIDR(self)'),
      (text) => {
        const [address = '', bits = '', ...rest] = text.split('/')
        const most = isIP(address) === 4 ? 32 : 128
        return isIP(address) > 0 && rest.length === 0 && /^(?:0|[1-9]\d*)$/.test(bits) && Number(bits) <= most
      },
    )
  })

  it('versions', () => {
    // Of semver.org.
    const shape =
      /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/
    agrees(
      nearly(['1.2.3', '1', '0', '01', '.', '-', '+', 'rc', '10', 'é', ' ']),
      evaluating('isSemver(self)'),
      (text) => shape.test(text),
    )
  })

  it('durations', () => {
    const units: Readonly<Record<string, bigint>> = {
      ns: 1n,
      us: 1000n,
      µs: 1000n,
      ms: 1_000_000n,
      s: 1_000_000_000n,
      m: 60_000_000_000n,
      h: 3_600_000_000_000n,
    }
    const read = (text: string) => {
      if (!/^[+-]?(?:(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+|0)$/.test(text)) return false
      let total = 0n
      for (const [, whole, fraction = '', unit = 's'] of text.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|ms|s|m|h)/g)) {
        const one = units[unit] as bigint
        total += BigInt(whole || 0) * one + (BigInt(fraction || 0) * one) / 10n ** BigInt(fraction.length)
      }
      // Of int64.
      if (total >= 2n ** 63n) return false
      return String((text.startsWith('-') ? -total : total) / 1_000_000n)
    }
    const given = evaluating('string(duration(self).getMilliseconds())')
    agrees(
      nearly(['1', '0', '.', '5', 'h', 'm', 's', 'ms', 'us', 'ns', 'µs', '-', '123456789', ' ']),
      (text) => {
        const found = given(text)
        return typeof found === 'string' && /^-?\d+$/.test(found) ? found : false
      },
      read,
    )
  })

  it('times', () => {
    const given = evaluating('string(int(timestamp(self)))')
    const numbers = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'))
    const years = fc.integer({ min: 1, max: 9998 }).map((year) => String(year).padStart(4, '0'))
    const texts = fc
      .tuple(
        years,
        numbers(13),
        numbers(32),
        numbers(24),
        numbers(60),
        numbers(60),
        fc.constantFrom('Z', '+02:30', '-23:59', ''),
      )
      .map(
        ([year, month, day, hour, minute, second, zone]) =>
          `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`,
      )
    agrees(
      texts,
      (text) => {
        const found = given(text)
        return typeof found === 'string' && /^-?\d+$/.test(found) ? found : false
      },
      (text) => {
        // Date knows 24:00 and days that a month does not have.
        const time = Date.parse(text)
        const local = Date.parse(`${text.slice(0, 19)}Z`)
        const isExact = !Number.isNaN(local) && new Date(local).toISOString().startsWith(text.slice(0, 19))
        return isExact && text.length > 19 ? String(time / 1000) : false
      },
    )
  })
})

describe('URLs are taken apart as Go does it', () => {
  const parts = evaluating(
    "url(self).getScheme() + ' ' + url(self).getHost() + ' ' + url(self).getHostname() + ' ' + url(self).getPort() + ' ' + url(self).getEscapedPath()",
  )
  it.each([
    ['https://user:secret@example.com:8080/a%20b?q=1#f', 'https example.com:8080 example.com 8080 /a%20b'],
    ['HTTP://[::1]:80/', 'http [::1]:80 ::1 80 /'],
    ['http://[::1]', 'http [::1] ::1  '],
    ['/only/a/path?x#y', '    /only/a/path'],
    ['mailto:somebody', 'mailto    '],
    ['http://host#@other/', 'http host host  '],
    ['http://host?/path', 'http host host  '],
  ])('%s', (text, expected) => expect(parts(text)).toBe(expected))

  it.each([
    ['', 'empty url'],
    [':x', 'missing protocol scheme'],
    ['a', 'invalid URI for request'],
    ['http://a b/', 'invalid character " " in host name'],
    ['http://a:b/', 'invalid port ":b" after host'],
    ['http://[::1', "missing ']' in host"],
    ['http://a/%zz', 'invalid URL escape "%zz"'],
    ['http://a/%2', 'invalid URL escape "%2"'],
    ['http://a%41/', 'invalid URL escape "%41"'],
    ['http://"@a/', 'net/url: invalid userinfo'],
    ['http://a/\u0001', 'net/url: invalid control character in URL'],
  ])('%j has none', (text, problem) => {
    expect(evaluating('isURL(self)')(text)).toBe(false)
    expect(parts(text)).toContain(problem)
  })
})
