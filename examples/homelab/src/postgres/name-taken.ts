// A role or database of the wanted name is somebody else's.

export class NameTaken extends Error {}
