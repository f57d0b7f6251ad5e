/** Kind of caller, as resolved by the server. `suspended` is a member whose payment failed. */
export const ACTORS = ['visitor', 'guest', 'unconfirmed', 'member', 'suspended', 'vip', 'admin', 'frame'] as const;
export type Actor = (typeof ACTORS)[number];

/** Confirmed members of every kind. */
export const MEMBERS = ['member', 'suspended', 'vip', 'admin'] as const satisfies readonly Actor[];
/** Everyone who may upload pictures. A suspended membership blocks plans and live viewing, not the member's own pictures. */
export const UPLOADERS = ['guest', ...MEMBERS] as const satisfies readonly Actor[];
/** Everyone with a session. */
export const SIGNED_IN = ['guest', 'unconfirmed', ...MEMBERS] as const satisfies readonly Actor[];
/** Everyone who uses a browser, with or without a session. */
export const PEOPLE = ['visitor', ...SIGNED_IN] as const satisfies readonly Actor[];
