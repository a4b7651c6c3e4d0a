// Expands `$(NAME)` in commands, arguments and variables of containers: `$$` is a dollar sign, and an unknown name stays
// as it is written. Pure.

export function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name?: string) => {
    if (name === undefined) return '$'
    return variables[name] ?? whole
  })
}
