// Semantic versions.

import { define, global, type Library, member } from '../functions/declaration.ts'
import { boolType, intType, opaqueType, stringType } from '../types/cel-type.ts'
import { intOf } from '../values/int64.ts'
import { Failure, Opaque, type Value } from '../values/value.ts'

const semverType = opaqueType('kubernetes.Semver')

class Semver extends Opaque {
  readonly type = semverType
  readonly numbers: readonly bigint[]
  readonly prerelease: readonly string[]

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super()
    this.numbers = numbers
    this.prerelease = prerelease
  }

  equals(other: Opaque): boolean {
    return other instanceof Semver && compareVersions(this, other) === 0
  }
}

const names = ['Major', 'Minor', 'Patch']

function parse(text: string, normalize = false): Semver | Failure {
  const normalized = normalize ? normal(text) : text
  if (normalized instanceof Failure) return normalized
  if (normalized === '') return new Failure('Version string empty')
  const found = /^([^.]*)\.([^.]*)\.([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(normalized)
  if (found === null) return new Failure('No Major.Minor.Patch elements found')
  const numbers = found.slice(1, 4)
  for (const [index, number] of numbers.entries()) {
    const name = names[index] as string
    if (!/^\d+$/.test(number))
      return new Failure(`Invalid character(s) found in ${name.toLowerCase()} number "${number}"`)
    if (number.length > 1 && number.startsWith('0'))
      return new Failure(`${name} number must not contain leading zeroes "${number}"`)
    if (BigInt(number) >= 2n ** 64n) return new Failure(`strconv.ParseUint: parsing "${number}": value out of range`)
  }
  const prerelease = found[4]?.split('.') ?? []
  const wrong = prerelease.map(prereleaseProblem).find((problem) => problem !== undefined)
  if (wrong !== undefined) return new Failure(wrong)
  const build = found[5]?.split('.') ?? []
  if (build.includes('')) return new Failure('Build meta data is empty')
  const strange = build.find((part) => !/^[0-9A-Za-z-]+$/.test(part))
  if (strange !== undefined) return new Failure(`Invalid character(s) found in build meta data "${strange}"`)
  return new Semver(numbers.map(BigInt), prerelease)
}

function prereleaseProblem(part: string): string | undefined {
  if (part === '') return 'Prerelease is empty'
  if (/^0\d+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes "${part}"`
  return /^[0-9A-Za-z-]+$/.test(part) ? undefined : `Invalid character(s) found in prerelease "${part}"`
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
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] as bigint
    if (number !== other) return number < other ? -1 : 1
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length)
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index]
    if (other === undefined) return 1
    const order = comparePrereleases(part, other)
    if (order !== 0) return order
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumber && isOtherNumber) return BigInt(a) < BigInt(b) ? -1 : 1
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return a < b ? -1 : 1
}

const part = (index: number) => (version: Semver) =>
  intOf(version.numbers[index] as bigint) ?? new Failure('integer overflow')
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
