import type { Actor as ActorKind, Language } from '@framelift/contract';

/** Who calls a verb, as the adapter found out. `userId` and `sessionId` are null for a visitor and for a frame. */
export interface Actor {
  readonly kind: ActorKind;
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** Of a frame alone. Its owner is no `userId`: a frame may not do what its owner may. */
  readonly frame?: { readonly id: string; readonly ownerId: string };
  /** Of the answer's sentences: the caller's choice, always English for guests. */
  readonly language: Language;
}

/** An actor with a user behind it. */
export interface UserActor extends Actor {
  readonly userId: string;
}

/** Admins may do what VIPs may. */
export function isVip({ kind }: Actor): boolean {
  return kind === 'vip' || kind === 'admin';
}

export function visitor(language: Language): Actor {
  return { kind: 'visitor', userId: null, sessionId: null, language };
}

/**
 * Narrows an actor whose endpoint lets no visitor in.
 * @throws Error when it is one all the same: a fault of the endpoint's declaration, answered as `internal`
 */
export function signedIn(actor: Actor): UserActor {
  if (actor.userId === null) throw new Error(`A ${actor.kind} without a user came to a verb that needs one`);
  return actor as UserActor;
}

/**
 * The frame that calls, where the endpoint lets only frames in.
 * @throws Error when it is none: a fault of the endpoint's declaration, answered as `internal`
 */
export function asFrame(actor: Actor): NonNullable<Actor['frame']> {
  if (!actor.frame) throw new Error(`A ${actor.kind} came to a verb of frames`);
  return actor.frame;
}
