// `$(NAME)` in commands, arguments and variables, as containers have them: `$$` is a dollar sign, and what is not known stays
// as it is written. Pure.

export function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name?: string) => {
    if (name === undefined) return '$'
    return variables[name] ?? whole
  })
}
