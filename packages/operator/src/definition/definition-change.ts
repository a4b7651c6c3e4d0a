// One difference between two definitions of a kind. The comparisons of definitions, schemas and values produce them.

export interface DefinitionChange {
  /** `v1 spec.port`, or a field of the definition. */
  readonly path: string
  readonly what: string
  readonly why: string
  /** False for a change that is worth knowing and breaks nothing. */
  readonly breaking: boolean
}

export function breaking(path: string, what: string, why: string): DefinitionChange {
  return { path, what, why, breaking: true }
}
