// Which parts of a YAML text are names of fields, so that they have a colour. Pure; the parts together are the text.

export interface YamlPart {
  readonly text: string
  readonly isName: boolean
}

const NAME = /^( *(?:- +)*)((?:[^\s#:'"[\]{},&*!|>%@`-][^:]*|"(?:[^"\\]|\\.)*"|'[^']*'):)(?=[ \r\n]|$)/
/** After it, lines that stand further right are the value, whatever they look like. */
const BLOCK = /(?:^|[:\s-]) *[|>][-+\d]*$/
const LONGEST = 1000

export function yamlParts(text: string): YamlPart[] {
  const parts: YamlPart[] = []
  let rest = ''
  /** Indentation of the line whose value a block is. */
  let block = -1
  for (const line of text.split(/(?<=\n)/)) {
    const indent = line.length - line.trimStart().length
    const isValue = block >= 0 && (indent > block || line.trim() === '')
    if (!isValue) block = -1
    const found = isValue || line.length > LONGEST ? null : NAME.exec(line)
    if (!isValue && line.length <= LONGEST && BLOCK.test(line.trimEnd())) block = indent
    if (found === null) {
      rest += line
      continue
    }
    const [before = '', space = '', name = ''] = found
    if (rest + space !== '') parts.push({ text: rest + space, isName: false })
    parts.push({ text: name, isName: true })
    rest = line.slice(before.length)
  }
  return rest === '' ? parts : [...parts, { text: rest, isName: false }]
}
