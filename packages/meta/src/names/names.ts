// The rules for names, with Kubernetes' messages. Each returns what is wrong; an empty list is a good name.
// With `prefix` the value is the start of a generated name and may end in a dash.

const DNS1123_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const DNS1123_SUBDOMAIN = `${DNS1123_LABEL}(\\.${DNS1123_LABEL})*`
const DNS1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?'
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const LABEL_VALUE = `(${QUALIFIED})?`

const whole = (pattern: string) => new RegExp(`^${pattern}$`)
const isDns1123Label = whole(DNS1123_LABEL)
const isDns1123Subdomain = whole(DNS1123_SUBDOMAIN)
const isDns1035Label = whole(DNS1035_LABEL)
const isQualified = whole(QUALIFIED)

export function dns1123Label(value: string, prefix = false): string[] {
  const name = prefix ? maskTrailingDash(value) : value
  const errors = atMost(63, name, 'characters')
  if (fits(isDns1123Label, name, 63)) return errors
  if (fits(isDns1123Subdomain, name, 253)) return [...errors, 'must not contain dots']
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
  return [...errors, describe(rule, DNS1123_LABEL, 'my-name', '123-abc')]
}

export function dns1123Subdomain(value: string, prefix = false): string[] {
  const name = prefix ? maskTrailingDash(value) : value
  return subdomainErrors(name, 'characters')
}

function subdomainErrors(name: string, unit: string): string[] {
  const errors = atMost(253, name, unit)
  if (fits(isDns1123Subdomain, name, 253)) return errors
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
  return [...errors, describe(rule, DNS1123_SUBDOMAIN, 'example.com')]
}

export function dns1035Label(value: string, prefix = false): string[] {
  const name = prefix ? maskTrailingDash(value) : value
  const errors = atMost(63, name, 'characters')
  if (fits(isDns1035Label, name, 63)) return errors
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
  return [...errors, describe(rule, DNS1035_LABEL, 'my-name', 'abc-123')]
}

/** What may stand as one step of a URL path; RBAC names follow only this. */
export function pathSegmentName(value: string, prefix = false): string[] {
  if (!prefix && (value === '.' || value === '..')) return [`may not be '${value}'`]
  return ['/', '%']
    .filter((character) => value.includes(character))
    .map((character) => `may not contain '${character}'`)
}

/** Label and annotation keys, finalizers: a name with an optional DNS prefix. */
export function qualifiedName(value: string): string[] {
  return value.length <= 63 && COMMON.test(value) ? [] : qualifiedNameErrors(value)
}

/** What most keys look like: good ones in any case, as long as they are short. */
const COMMON = /^(?:[a-z0-9]+(?:[-.][a-z0-9]+)*\/)?[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$/

function qualifiedNameErrors(value: string): string[] {
  const parts = value.split('/')
  const [first = '', second] = parts
  if (parts.length > 2) {
    return [
      `a qualified name ${qualifiedRule()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const errors: string[] = []
  if (second !== undefined) {
    if (first === '') errors.push('prefix part must be non-empty')
    else errors.push(...subdomainErrors(first, 'bytes').map((message) => `prefix part ${message}`))
  }
  const name = second ?? first
  if (name === '') errors.push('name part must be non-empty')
  errors.push(...atMost(63, name).map((message) => `name part ${message}`))
  if (!fits(isQualified, name, 63)) errors.push(`name part ${qualifiedRule()}`)
  return errors
}

/** Built only for a bad name, because every label of every write is checked. */
function qualifiedRule(): string {
  const rule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  return describe(rule, QUALIFIED, 'MyName', 'my.name', '123-abc')
}

export function labelValue(value: string): string[] {
  if (value === '') return []
  const errors = atMost(63, value)
  if (fits(isQualified, value, 63)) return errors
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  return [...errors, describe(rule, LABEL_VALUE, 'MyValue', 'my_value', '12345')]
}

/** A name in front of a generated suffix is good when it would be with a letter in place of its last dash. */
function maskTrailingDash(value: string): string {
  return value.length > 1 && value.endsWith('-') ? `${value.slice(0, -2)}a` : value
}

/** Counts bytes, whatever the unit is called: Kubernetes has two words for it. */
function atMost(limit: number, value: string, unit = 'bytes'): string[] {
  // No character takes more than three bytes per code unit.
  if (value.length * 3 <= limit) return []
  return value.length > limit || Buffer.byteLength(value) > limit ? [`must be no more than ${limit} ${unit}`] : []
}

/** A value far over its limit is not matched at all: the length has been reported, and matching could be slow. */
function fits(pattern: RegExp, value: string, limit: number): boolean {
  return value.length > limit * 64 ? false : pattern.test(value)
}

function describe(rule: string, pattern: string, ...examples: string[]): string {
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`
}
