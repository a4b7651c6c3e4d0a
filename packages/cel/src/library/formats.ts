// Kubernetes' named formats: `format.dns1123Label().validate(text)` is none, or what is wrong.

import { dns1035Label, dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '@homeostat/meta'
import { define, global, type Library, member } from '../functions/declaration.ts'
import { listOf, opaqueType, optionalOf, stringType } from '../types/cel-type.ts'
import { bytesFromBase64 } from '../values/base64.ts'
import { ValueList } from '../values/lists.ts'
import { parseTimestamp } from '../values/timestamp-text.ts'
import { CelOptional, Opaque, type Value } from '../values/value.ts'
import { parseUrl } from './url-text.ts'

const formatType = opaqueType('kubernetes.NamedFormat')

class NamedFormat extends Opaque {
  readonly type = formatType
  readonly name: string
  /** The length of the regular expression behind it, by which a check is charged. */
  readonly regexSize: number
  readonly check: (text: string) => readonly string[]

  constructor(name: string, regexSize: number, check: (text: string) => readonly string[]) {
    super()
    this.name = name
    this.regexSize = regexSize
    this.check = check
  }

  equals(other: Opaque): boolean {
    return other instanceof NamedFormat && other.name === this.name
  }
}

const complaint = (text: string, isSound: boolean) => (isSound ? [] : [text])
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

function checkUri(text: string): readonly string[] {
  const parts = parseUrl(text)
  return typeof parts === 'string' ? [parts] : []
}

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(text) !== undefined
const isBase64 = (text: string) => text !== '' && text.length % 4 === 0 && bytesFromBase64(text) !== undefined

const formats: ReadonlyMap<string, NamedFormat> = new Map(
  [
    new NamedFormat('dns1123Label', 30, (text) => dns1123Label(text)),
    new NamedFormat('dns1123Subdomain', 60, (text) => dns1123Subdomain(text)),
    new NamedFormat('dns1035Label', 30, (text) => dns1035Label(text)),
    new NamedFormat('qualifiedName', 60, (text) => qualifiedName(text)),
    new NamedFormat('dns1123LabelPrefix', 30, (text) => dns1123Label(text, true)),
    new NamedFormat('dns1123SubdomainPrefix', 60, (text) => dns1123Subdomain(text, true)),
    new NamedFormat('dns1035LabelPrefix', 30, (text) => dns1035Label(text, true)),
    new NamedFormat('labelValue', 40, (text) => labelValue(text)),
    new NamedFormat('uri', 1103, checkUri),
    new NamedFormat('uuid', 70, (text) => complaint('does not match the UUID format', uuid.test(text))),
    new NamedFormat('byte', 84, (text) => complaint('invalid base64', isBase64(text))),
    new NamedFormat('date', 71, (text) => complaint('invalid date', isDate(text))),
    new NamedFormat('datetime', 71, (text) =>
      complaint('invalid datetime', /[Tt]/.test(text) && parseTimestamp(text) !== undefined),
    ),
  ].map((format) => [format.name, format]),
)

function validate(format: NamedFormat, text: string): Value {
  const complaints = format.check(text)
  return complaints.length === 0 ? CelOptional.none : new CelOptional(new ValueList(complaints))
}

export const formatLibrary: Library = {
  functions: [
    ...Array.from(formats, ([name, format]) =>
      define(
        `format.${name}`,
        global(`format.${name}`, [], formatType, () => format),
      ),
    ),
    define('validate', member('format-validate', [formatType, stringType], optionalOf(listOf(stringType)), validate)),
    define(
      'format.named',
      global(
        'format-named',
        [stringType],
        optionalOf(formatType),
        (name: string) => new CelOptional(formats.get(name)),
      ),
    ),
  ],
  types: [formatType],
}
