// The values of `format` that are checked, by name. Unknown ones are ignored, with a warning when a definition is written.

import { isCidr, isHostname, isIpv4, isIpv6, isMac, isRequestUri } from './network.ts'
import { RecentTexts } from './recent-texts.ts'
import {
  isBase64,
  isCreditCard,
  isEmail,
  isHexColor,
  isIsbn10,
  isIsbn13,
  isObjectId,
  isRgbColor,
  isSsn,
} from './text.ts'
import { isDate, isDateTime, isDuration } from './time.ts'

export interface Format {
  /** As written in the schema; messages name it. */
  name: string
  text: ((value: string) => boolean) | undefined
  number: ((value: number | bigint) => boolean) | undefined
}

type TextFormat = (value: string) => boolean

const hex = '[0-9a-f]'
const uuid = (third: string, fourth: string): TextFormat => {
  const shape = new RegExp(`^${hex}{8}-?${hex}{4}-?${third}-?${fourth}-?${hex}{12}$`, 'i')
  return (value) => shape.test(value)
}
const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const longName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Dashes in the name do not count: date-time and datetime are one. */
const textFormats: ReadonlyMap<string, TextFormat> = new Map<string, TextFormat>([
  ['bsonobjectid', isObjectId],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', uuid(`${hex}{4}`, `${hex}{4}`)],
  ['uuid3', uuid(`3${hex}{3}`, `${hex}{4}`)],
  ['uuid4', uuid(`4${hex}{3}`, `[89ab]${hex}{3}`)],
  ['uuid5', uuid(`5${hex}{3}`, `[89ab]${hex}{3}`)],
  ['isbn', (value) => isIsbn10(value) || isIsbn13(value)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', isHexColor],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (value) => value.length <= 63 && shortName.test(value)],
  ['k8slongname', (value) => value.length <= 253 && longName.test(value)],
])

const between = (low: number | bigint, high: number | bigint) => (value: number | bigint) =>
  value >= low && value <= high
const floatMax = 3.4028234663852886e38

const numberFormats: Readonly<Record<string, ReadonlyMap<string, (value: number | bigint) => boolean>>> = {
  integer: new Map([
    ['int32', between(-(2 ** 31), 2 ** 31 - 1)],
    ['int64', between(-(2n ** 63n), 2n ** 63n - 1n)],
  ]),
  number: new Map([
    ['float', between(-floatMax, floatMax)],
    ['double', between(-Number.MAX_VALUE, Number.MAX_VALUE)],
  ]),
}

/** The check for a format on a type; undefined when there is none. */
export function formatFor(type: string, name: string): Format | undefined {
  if (name === '') return undefined
  if (type === '' || type === 'string') {
    const text = textFormats.get(name.replaceAll('-', ''))
    return text && { name, text: remembering(text), number: undefined }
  }
  const number = type === 'integer' || type === 'number' ? numberFormats[type]?.get(name) : undefined
  return number && { name, text: undefined, number }
}

function remembering(accepts: TextFormat): TextFormat {
  const accepted = new RecentTexts()
  return (value) => {
    if (accepted.has(value)) return true
    if (!accepts(value)) return false
    accepted.add(value)
    return true
  }
}
