// A value as YAML in blocks, as Kubernetes puts extensions, defaults and enumerations into OpenAPI v2: some programs compare the text.

import { isObject, writeJson } from '@homeostat/meta'

export function yamlText(value: unknown): string {
  return `${blocks(value).join('\n')}\n`
}

/** At least one line. */
function blocks(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => under('- ', blocks(item), '  '))
  if (!isObject(value)) return [scalar(value)]
  const entries = Object.entries(value)
  if (entries.length === 0) return ['{}']
  return entries.flatMap(([name, field]) => {
    const lines = blocks(field)
    return isBlock(field)
      ? [`${scalar(name)}:`, ...lines.map((line) => `    ${line}`)]
      : [`${scalar(name)}: ${lines[0]}`]
  })
}

function under(first: string, lines: readonly string[], rest: string): string[] {
  return lines.map((line, index) => (index === 0 ? first : rest) + line)
}

function isBlock(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) && Object.keys(value).length > 0
}

/** Words that YAML reads as something else, and what begins like a number. */
const special = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i

function scalar(value: unknown): string {
  if (typeof value !== 'string' || special.test(value)) return writeJson(value)
  return /^[A-Za-z](?:[\w./ -]*[\w./-])?$/.test(value) ? value : writeJson(value)
}
