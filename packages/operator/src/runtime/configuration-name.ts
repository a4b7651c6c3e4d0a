// The name of an operator's webhook configurations, made of its field manager. Roles and registration use it.

/** Field managers may have characters that names of objects may not. */
export function configurationName(fieldManager: string): string {
  const name = fieldManager.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-')
  return name.replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '') || 'operator'
}
