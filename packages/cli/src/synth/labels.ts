// What the manifests of an operator have in common: its name, where it runs, and the labels that select its Pods.

export interface Placement {
  readonly name: string
  /** Of the Deployment and its ServiceAccount. */
  readonly namespace: string
}

export function labelsOf({ name }: Placement): Record<string, string> {
  return { 'app.kubernetes.io/name': name }
}
