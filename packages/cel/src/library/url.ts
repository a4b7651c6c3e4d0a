// URLs as Go reads them: absolute, or a path from the root. JavaScript's URL is another reading, which mends what it finds.

import { define, global, type Library, member } from '../functions/declaration.ts'
import { boolType, listOf, mapOf, opaqueType, stringType } from '../types/cel-type.ts'
import { ValueList } from '../values/lists.ts'
import { ValueMap } from '../values/maps.ts'
import { Failure, Opaque, type Value } from '../values/value.ts'
import { escapedPath, parseUrl, queryOf, type UrlParts } from './url-text.ts'

const urlType = opaqueType('kubernetes.URL')

class Url extends Opaque {
  readonly type = urlType
  readonly text: string
  readonly parts: UrlParts

  constructor(text: string, parts: UrlParts) {
    super()
    this.text = text
    this.parts = parts
  }

  override get length(): number {
    return this.text.length
  }

  equals(other: Opaque): boolean {
    return other instanceof Url && other.text === this.text
  }
}

function toUrl(text: string): Value {
  const parts = parseUrl(text)
  return typeof parts === 'string'
    ? new Failure(`URL parse error during conversion from string: ${parts}`)
    : new Url(text, parts)
}

function query({ parts }: Url): Value {
  const map = new ValueMap()
  for (const [name, values] of queryOf(parts.query)) map.set(name, new ValueList(values))
  return map
}

/** Of the colon before a port; the end without one. */
function portColon(host: string): number {
  let at = host.length - 1
  while (host.charCodeAt(at) >= 48 && host.charCodeAt(at) <= 57) at--
  return host[at] === ':' ? at : host.length
}

function hostname(host: string): string {
  const name = host.slice(0, portColon(host))
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name
}

const read = (name: string, id: string, call: (url: Url) => Value) =>
  define(name, member(id, [urlType], stringType, call))

export const urlLibrary: Library = {
  functions: [
    define('url', global('string_to_url', [stringType], urlType, toUrl)),
    define(
      'isURL',
      global('is_url_string', [stringType], boolType, (text: string) => typeof parseUrl(text) !== 'string'),
    ),
    read('getScheme', 'url_get_scheme', ({ parts }) => parts.scheme),
    read('getHost', 'url_get_host', ({ parts }) => parts.host),
    read('getHostname', 'url_get_hostname', ({ parts: { host } }) => hostname(host)),
    read('getPort', 'url_get_port', ({ parts: { host } }) => host.slice(portColon(host) + 1)),
    read('getEscapedPath', 'url_get_escaped_path', ({ parts }) => escapedPath(parts)),
    define('getQuery', member('url_get_query', [urlType], mapOf(stringType, listOf(stringType)), query)),
  ],
  types: [urlType],
}
