// Matches a unit's labels against the labels of a query.

export function hasLabels(
  unit: { readonly labels: Readonly<Record<string, string>> },
  wanted: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).every(([key, value]) => unit.labels[key] === value)
}
