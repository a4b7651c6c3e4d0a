// Default roles and bindings in short: a rule is a line `verbs groups resources [names]` or `verbs urls paths`. Bootstrap-objects.ts
// makes objects of them.

export interface ClusterRoleFact {
  /** The aggregated role that this role is a part of. */
  readonly to?: string
  /** Whether the role aggregates others. */
  readonly made?: true
  readonly rules?: readonly string[]
}

export interface BindingFact {
  readonly role: string
  readonly subjects: readonly string[]
}

export type Named<T> = Readonly<Record<string, T>>
