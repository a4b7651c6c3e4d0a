// Which of several owners stands for all where an object can be shown below one.

/** Which of several owners an object stands below: its controller, or else the first. */
export function mainOwner<T extends { readonly controller?: boolean }>(owners: readonly T[]): T | undefined {
  return owners.find(({ controller }) => controller === true) ?? owners[0]
}
