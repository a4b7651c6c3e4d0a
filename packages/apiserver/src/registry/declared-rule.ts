// A right that a program inside the server declares to need.

export type DeclaredRule = DeclaredPolicyRule | DeclaredKindsRule

/** As a rule of a ClusterRole. */
export interface DeclaredPolicyRule {
  /** Without a version. The core group is `''`. */
  readonly apiGroups: readonly string[]
  /** Plurals, e.g. `deployments`, `pods/log`. */
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  /** Limits the rule to these names. Default: all. */
  readonly resourceNames?: readonly string[]
  readonly definitionHolds?: undefined
}

/** The custom kinds whose definition contains the text, such as an annotation, with their subresources. */
export interface DeclaredKindsRule {
  readonly definitionHolds: string
  readonly verbs: readonly string[]
}
