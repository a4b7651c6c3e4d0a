// Semantic versions.

import { define, global, type Library, member } from '../functions/declaration.ts'
import { boolType, intType, opaqueType, stringType } from '../types/cel-type.ts'
import { intOf } from '../values/int64.ts'
import { Failure, Opaque, type Value } from '../values/value.ts'

const semverType = opaqueType('kubernetes.Semver')

type Numbers = [major: number | bigint, minor: number | bigint, patch: number | bigint]

class Semver extends Opaque {
  readonly type = semverType
  /** Of uint64, bigints beyond 2^53. */
  readonly numbers: Readonly<Numbers>
  readonly #prerelease: string | undefined

  constructor(numbers: Readonly<Numbers>, prerelease: string | undefined) {
    super()
    this.numbers = numbers
    this.#prerelease = prerelease
  }

  /** Taken apart only when versions are compared that are alike before it. */
  get prerelease(): readonly string[] {
    return this.#prerelease?.split('.') ?? []
  }

  override get length(): number {
    return this.#prerelease?.length ?? 0
  }

  equals(other: Opaque): boolean {
    return other instanceof Semver && compareVersions(this, other) === 0
  }

  hasPrereleaseOf(other: Semver): boolean {
    return this.#prerelease === other.#prerelease
  }
}

const names = ['Major', 'Minor', 'Patch']
const MINUS = 45
const POINT = 46
const mostUint = 2n ** 64n - 1n

function parse(text: string, normalize = false): Semver | Failure {
  const normalized = normalize ? normal(text) : text
  if (normalized instanceof Failure) return normalized
  if (normalized === '') return new Failure('Version string empty')
  const minor = normalized.indexOf('.') + 1
  const patch = minor === 0 ? 0 : normalized.indexOf('.', minor) + 1
  if (patch === 0) return new Failure('No Major.Minor.Patch elements found')
  const plus = normalized.indexOf('+', patch)
  const end = plus < 0 ? normalized.length : plus
  const dash = normalized.indexOf('-', patch)
  const hasPrerelease = dash >= 0 && dash < end
  const numbers: Numbers = [0, 0, 0]
  const problem =
    readNumber(normalized, 0, minor - 1, 0, numbers) ??
    readNumber(normalized, minor, patch - 1, 1, numbers) ??
    readNumber(normalized, patch, hasPrerelease ? dash : end, 2, numbers)
  if (problem !== undefined) return new Failure(problem)
  const prerelease = hasPrerelease ? normalized.slice(dash + 1, end) : undefined
  if (prerelease !== undefined && !areIdentifiers(prerelease, 0, prerelease.length, false))
    return new Failure(prereleaseProblem(prerelease.split('.')))
  if (plus >= 0 && !areIdentifiers(normalized, plus + 1, normalized.length, true))
    return new Failure(buildProblem(normalized.slice(plus + 1).split('.')))
  return new Semver(numbers, prerelease)
}

/** The number between the places, into the place of its name, or why it is none. */
function readNumber(text: string, start: number, end: number, index: 0 | 1 | 2, numbers: Numbers): string | undefined {
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return strangeNumber(text.slice(start, end), index)
    value = value * 10 + digit
  }
  if (start === end) return strangeNumber('', index)
  if (end - start > 1 && text.charCodeAt(start) === 48)
    return `${names[index]} number must not contain leading zeroes "${text.slice(start, end)}"`
  if (value > Number.MAX_SAFE_INTEGER) {
    const large = end - start > 20 ? mostUint + 1n : BigInt(text.slice(start, end))
    if (large > mostUint) return `strconv.ParseUint: parsing "${text.slice(start, end)}": value out of range`
    numbers[index] = large
  } else numbers[index] = value
  return undefined
}

function strangeNumber(number: string, index: 0 | 1 | 2): string {
  return `Invalid character(s) found in ${names[index]?.toLowerCase()} number "${number}"`
}

/** Whether there are letters, digits and hyphens between points, and no number with a zero before it unless that is allowed. */
function areIdentifiers(text: string, start: number, end: number, mayHaveZeros: boolean): boolean {
  let from = start
  let isNumber = true
  for (let at = start; at <= end; at++) {
    const code = at === end ? POINT : text.charCodeAt(at)
    if (code >= 48 && code <= 57) continue
    if (code === POINT) {
      if (at === from) return false
      if (isNumber && !mayHaveZeros && at - from > 1 && text.charCodeAt(from) === 48) return false
      from = at + 1
      isNumber = true
    } else if (isLetterOrHyphen(code)) isNumber = false
    else return false
  }
  return true
}

function isLetterOrHyphen(code: number): boolean {
  return ((code | 0x20) >= 97 && (code | 0x20) <= 122) || code === MINUS
}

/** Of the first part that has one. */
function prereleaseProblem(parts: readonly string[]): string {
  const part = parts.find((one) => !areIdentifiers(one, 0, one.length, false)) ?? ''
  if (part === '') return 'Prerelease is empty'
  if (isNumeric(part)) return `Numeric PreRelease version must not contain leading zeroes "${part}"`
  return `Invalid character(s) found in prerelease "${part}"`
}

function buildProblem(parts: readonly string[]): string {
  if (parts.includes('')) return 'Build meta data is empty'
  const strange = parts.find((part) => !areIdentifiers(part, 0, part.length, true))
  return `Invalid character(s) found in build meta data "${strange}"`
}

function isNumeric(part: string): boolean {
  for (let at = 0; at < part.length; at++) {
    const code = part.charCodeAt(at)
    if (code < 48 || code > 57) return false
  }
  return true
}

/** Without a leading v and leading zeros, with all three numbers. */
function normal(text: string): string | Failure {
  const parts = splitAtMost(text.replace(/^v/, ''), 3).map((part) =>
    part.length > 1
      ? part.replace(/^0+(?=\d)/, '').replace(/^0*(?!\d)(?=.)/, (zeros) => (zeros === '' ? '' : '0'))
      : part,
  )
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? ''))
    return new Failure('short version cannot contain PreRelease/Build meta data')
  while (parts.length < 3) parts.push('0')
  return parts.join('.')
}

function splitAtMost(text: string, most: number): string[] {
  const parts = text.split('.')
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join('.')]
}

function compareVersions(a: Semver, b: Semver): number {
  for (let index = 0; index < 3; index++) {
    const number = a.numbers[index] as number | bigint
    const other = b.numbers[index] as number | bigint
    if (number !== other) return number < other ? -1 : 1
  }
  if (a.hasPrereleaseOf(b)) return 0
  const [one, other] = [a.prerelease, b.prerelease]
  if (one.length === 0 || other.length === 0) return Math.sign(other.length - one.length)
  for (const [index, part] of one.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    const order = comparePrereleases(part, against)
    if (order !== 0) return order
  }
  return one.length < other.length ? -1 : 0
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0
  const [isNumber, isOtherNumber] = [isNumeric(a), isNumeric(b)]
  // Without leading zeros the longer one is larger.
  if (isNumber && isOtherNumber) return a.length === b.length ? (a < b ? -1 : 1) : Math.sign(a.length - b.length)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return a < b ? -1 : 1
}

const part = (index: number) => (version: Semver) =>
  typeof version.numbers[index] === 'bigint'
    ? (intOf(version.numbers[index]) ?? new Failure('integer overflow'))
    : (version.numbers[index] as number)
const isVersion = (text: string, normalize?: boolean): Value => !(parse(text, normalize) instanceof Failure)
const two = [semverType, semverType]

export const semverLibrary: Library = {
  functions: [
    define(
      'semver',
      global('string_to_semver', [stringType], semverType, parse),
      global('string_bool_to_semver', [stringType, boolType], semverType, parse),
    ),
    define(
      'isSemver',
      global('is_semver_string', [stringType], boolType, isVersion),
      global('is_semver_string_bool', [stringType, boolType], boolType, isVersion),
    ),
    define(
      'isGreaterThan',
      member('semver_is_greater_than', two, boolType, (a: Semver, b: Semver) => compareVersions(a, b) > 0),
    ),
    define(
      'isLessThan',
      member('semver_is_less_than', two, boolType, (a: Semver, b: Semver) => compareVersions(a, b) < 0),
    ),
    define('compareTo', member('semver_compare_to', two, intType, compareVersions)),
    define('major', member('semver_major', [semverType], intType, part(0))),
    define('minor', member('semver_minor', [semverType], intType, part(1))),
    define('patch', member('semver_patch', [semverType], intType, part(2))),
  ],
  types: [semverType],
}
