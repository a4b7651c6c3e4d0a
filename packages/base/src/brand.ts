// Recognizes values of our classes also when another copy of a package made them: an add-on or an operator may bring its
// own. A brand is a property whose key is `Symbol.for('homeostat.NAME')`, which all copies in a process share.

export function hasBrand(value: unknown, brand: symbol): boolean {
  return typeof value === 'object' && value !== null && brand in value
}
