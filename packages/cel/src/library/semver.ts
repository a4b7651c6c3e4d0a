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
  readonly prerelease: readonly string[]

  constructor(numbers: Readonly<Numbers>, prerelease: readonly string[]) {
    super()
    this.numbers = numbers
    this.prerelease = prerelease
  }

  equals(other: Opaque): boolean {
    return other instanceof Semver && compareVersions(this, other) === 0
  }
}

const names = ['Major', 'Minor', 'Patch']
const MINUS = 45
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
  const prerelease = hasPrerelease ? normalized.slice(dash + 1, end).split('.') : none
  for (const part of prerelease) {
    const wrong = prereleaseProblem(part)
    if (wrong !== undefined) return new Failure(wrong)
  }
  const wrong = plus < 0 ? undefined : buildProblem(normalized.slice(plus + 1).split('.'))
  return wrong === undefined ? new Semver(numbers, prerelease) : new Failure(wrong)
}

const none: readonly string[] = []

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

function prereleaseProblem(part: string): string | undefined {
  if (part === '') return 'Prerelease is empty'
  if (!isIdentifier(part)) return `Invalid character(s) found in prerelease "${part}"`
  if (part.length > 1 && part.charCodeAt(0) === 48 && isNumeric(part))
    return `Numeric PreRelease version must not contain leading zeroes "${part}"`
  return undefined
}

function buildProblem(parts: readonly string[]): string | undefined {
  if (parts.includes('')) return 'Build meta data is empty'
  const strange = parts.find((part) => !isIdentifier(part))
  return strange === undefined ? undefined : `Invalid character(s) found in build meta data "${strange}"`
}

/** Letters, digits and hyphens. */
function isIdentifier(part: string): boolean {
  for (let at = 0; at < part.length; at++) {
    const code = part.charCodeAt(at)
    const letter = code | 0x20
    const isLetter = letter >= 97 && letter <= 122
    if (!isLetter && !(code >= 48 && code <= 57) && code !== MINUS) return false
  }
  return true
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
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length)
  for (let index = 0; index < a.prerelease.length; index++) {
    const other = b.prerelease[index]
    if (other === undefined) return 1
    const order = comparePrereleases(a.prerelease[index] as string, other)
    if (order !== 0) return order
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0
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
