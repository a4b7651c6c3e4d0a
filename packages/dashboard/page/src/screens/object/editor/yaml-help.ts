// What CodeMirror asks while somebody writes: which fields and values may stand here, and what a field means. From the kind's schema.

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { hoverTooltip } from '@codemirror/view'
import { type KindSchema, typeText } from '../../../kinds/schema.ts'
import { fieldAt, yamlPlace } from './yaml-place.ts'

type Find = () => KindSchema | undefined
const LONGEST = 600

export function completeFields(find: Find) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const schema = find()
    const text = state.doc.toString()
    const place = schema && yamlPlace(text, pos)
    if (schema === undefined || place === undefined) return null
    if (!explicit && place.typed === '' && place.key === undefined) return null
    const options = place.key === undefined ? names(schema, place.path) : values(schema, [...place.path, place.key])
    return options.length === 0 ? null : { from: Math.min(place.from, pos), options, validFor: /^[\w.-]*$/ }
  }
}

function names(schema: KindSchema, path: readonly (string | number)[]): Completion[] {
  return schema.fields(path).map(({ name, type, description, required }) => {
    const opens = type.startsWith('[]') || type === 'object'
    return {
      label: name,
      detail: required ? `${type}, required` : type,
      ...(description !== '' && { info: description.slice(0, LONGEST) }),
      apply: opens ? `${name}:` : `${name}: `,
      boost: required ? 1 : 0,
    }
  })
}

function values(schema: KindSchema, path: readonly (string | number)[]): Completion[] {
  const { enum: allowed, type, default: given } = schema.at(path) ?? {}
  const found = allowed ?? (type === 'boolean' ? [true, false] : given === undefined ? [] : [given])
  return found.map((value) => ({
    label: typeof value === 'string' ? value : JSON.stringify(value),
    ...(value === given && { detail: 'default' }),
  }))
}

/** The description of the field under the pointer, as text. */
export function explainField(find: Find): Extension {
  return hoverTooltip((view, pos) => {
    const schema = find()
    const path = schema && fieldAt(view.state.doc.toString(), pos)
    const field = path && schema?.at(path)
    if (path === undefined || field === undefined) return null
    const { from, to } = view.state.doc.lineAt(pos)
    return {
      pos: from,
      end: to,
      above: true,
      create() {
        const dom = document.createElement('div')
        dom.className = 'field-help'
        const name = document.createElement('strong')
        name.textContent = path.filter((step) => typeof step === 'string').join('.')
        const type = document.createElement('span')
        type.textContent = ` ${typeText(field)}`
        const text = document.createElement('p')
        text.textContent = field.description?.slice(0, LONGEST) ?? 'Its definition does not say what it is for.'
        dom.append(name, type, text)
        return { dom }
      },
    }
  })
}
