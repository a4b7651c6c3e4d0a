// The API group of this operator's kinds.

export const GROUP = 'homelab.mortenolsen.pro'
