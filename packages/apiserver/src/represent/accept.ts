// Parses an Accept header into media types, best first.

export interface Clause {
  /** In lower case; may be a wildcard such as any type of `application`. */
  readonly type: string
  readonly quality: number
  readonly params: Readonly<Record<string, string>>
}

/** Sorted by quality, wildcards after named types, else as written. Types of quality 0 are left out. */
export function parseAccept(accept: string): Clause[] {
  const clauses = accept.split(',').map(parseClause)
  return clauses
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || vagueness(a) - vagueness(b))
}

function vagueness({ type }: Clause): number {
  return type === '*/*' ? 2 : type.endsWith('/*') ? 1 : 0
}

function parseClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim())
  const params: Record<string, string> = {}
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals > 0) params[part.slice(0, equals).toLowerCase()] = part.slice(equals + 1).replace(/^"|"$/g, '')
  }
  const quality = params.q === undefined ? 1 : Number(params.q)
  return { type: type.toLowerCase(), quality: Number.isNaN(quality) ? 0 : quality, params }
}
