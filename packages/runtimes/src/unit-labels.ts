// Whether a unit is among those somebody asked for.

export function hasLabels(
  unit: { readonly labels: Readonly<Record<string, string>> },
  wanted: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).every(([key, value]) => unit.labels[key] === value)
}
