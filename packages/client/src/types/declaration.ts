// Formats TypeScript declarations as lines of text, in the layout that formatters produce. Pure.

const WIDTH = 120

export type Declaration = {
  readonly name: string
  /** The paragraphs of its doc comment. */
  readonly about: readonly string[]
} & ({ readonly members: readonly (readonly string[])[] } | { readonly alias: readonly string[] })

export interface Member {
  readonly name: string
  readonly optional: boolean
  readonly about: readonly string[]
  /** The alternatives of its type. */
  readonly type: readonly string[]
}

export function declarationText(declaration: Declaration): string {
  const { name, about } = declaration
  const lines = [...comment(about, 0), ...('alias' in declaration ? aliasLines(name, declaration.alias) : [])]
  if ('members' in declaration) {
    const members = declaration.members.flat().map((line) => `  ${line}`)
    if (members.length === 0) lines.push(`export type ${name} = Record<string, never>`)
    else lines.push(`export interface ${name} {`, ...members, '}')
  }
  return `${lines.join('\n')}\n`
}

/** The lines of a field, without their indent. */
export function memberText({ name, optional, about, type }: Member): string[] {
  const head = `${name}${optional ? '?' : ''}:`
  return [...comment(about, 2), ...unionLines(head, type, 2)]
}

export function propertyName(field: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(field)) return field
  return `'${JSON.stringify(field).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function aliasLines(name: string, union: readonly string[]): string[] {
  return unionLines(`export type ${name} =`, union, 0)
}

function unionLines(head: string, union: readonly string[], indent: number): string[] {
  const line = `${head} ${union.join(' | ')}`
  if (line.length + indent <= WIDTH || union.length === 1) return [line]
  return [head, ...union.map((alternative) => `  | ${alternative}`)]
}

/** One line when it fits, else wrapped. Keeps the description's line ends between paragraphs. */
function comment(about: readonly string[], indent: number): string[] {
  const paragraphs = about
    .flatMap((text) => text.split(/\n\s*\n|\n(?=\s*[-*] )/))
    .map((text) => text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
  if (paragraphs.length === 0) return []
  const [only = ''] = paragraphs
  if (paragraphs.length === 1 && only.length + indent + 7 <= WIDTH) return [`/** ${only} */`]
  return ['/**', ...paragraphs.flatMap((text) => wrapped(text, WIDTH - indent - 3)).map((line) => ` * ${line}`), ' */']
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
