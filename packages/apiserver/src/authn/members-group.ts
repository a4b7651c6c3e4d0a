// The group in the certificates of a store's servers. It has no rights; it lets a request name its caller.

export const MEMBERS = 'system:homeostat:members'
