// Types as messages write them: `list(string)`, `timestamp`, `optional_type(int)`.

import type { CelType } from './cel-type.ts'

export function typeText(type: CelType): string {
  switch (type.kind) {
    case 'duration':
      return 'duration'
    case 'timestamp':
      return 'timestamp'
    case 'null':
      return 'null'
    case 'parameter':
      return type.name
    default:
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(typeText).join(', ')})`
  }
}

/** The arguments of a call that no overload fits; of a method with its target before the dot. */
export function signatureText(args: readonly CelType[], isMember: boolean): string {
  const texts = args.map(typeText)
  return isMember ? `${texts[0]}.(${texts.slice(1).join(', ')})` : `(${texts.join(', ')})`
}
