// A rule of RBAC as Kubernetes writes it, and where an operator needs it.

export interface PolicyRule {
  /** The core group is `''`. */
  readonly apiGroups: readonly string[]
  /** Plurals, e.g. `deployments`, `pods/log`. */
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  /** Limits the rule to these names. Default: all. `create`, `list` and `watch` cannot be limited. */
  readonly resourceNames?: readonly string[]
}

export interface ScopedRule {
  readonly rule: PolicyRule
  /** Why the operator needs it, for people who review its rights. */
  readonly why: string
  /**
   * `operator`: in the namespaces of the operator, else everywhere. `cluster`: always in a ClusterRole, since the kind
   * has no namespace. Otherwise one namespace.
   */
  readonly where: 'operator' | 'cluster' | { readonly namespace: string }
}
