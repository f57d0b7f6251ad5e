/** Who a caller is, as the server found out. `suspended` is a member whose payment failed. */
export const ACTORS = ['visitor', 'guest', 'unconfirmed', 'member', 'suspended', 'vip', 'admin', 'frame'] as const;
export type Actor = (typeof ACTORS)[number];

/** Confirmed members of every kind. */
export const MEMBERS = ['member', 'suspended', 'vip', 'admin'] as const satisfies readonly Actor[];
/** Everybody who may upload pictures. A suspended membership stops plans and live viewing, not a member's own pictures. */
export const UPLOADERS = ['guest', ...MEMBERS] as const satisfies readonly Actor[];
/** Everybody with a session. */
export const SIGNED_IN = ['guest', 'unconfirmed', ...MEMBERS] as const satisfies readonly Actor[];
/** Everybody who sits before a browser. */
export const PEOPLE = ['visitor', ...SIGNED_IN] as const satisfies readonly Actor[];
