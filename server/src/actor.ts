import type { Actor as ActorKind, Language } from '@framelift/contract';

/** The caller of a domain function. `userId` and `sessionId` are null for visitors and frames. */
export interface Actor {
  readonly kind: ActorKind;
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** Only for frames. The owner is not their `userId`: a frame has fewer permissions than its owner. */
  readonly frame?: { readonly id: string; readonly ownerId: string };
  /** Language of responses: the caller's choice, always English for guests. */
  readonly language: Language;
}

export interface UserActor extends Actor {
  readonly userId: string;
}

/** Returns whether the caller is a VIP; admins count as VIPs. */
export function isVip({ kind }: Actor): boolean {
  return kind === 'vip' || kind === 'admin';
}

export function visitor(language: Language): Actor {
  return { kind: 'visitor', userId: null, sessionId: null, language };
}

/** Narrows the actor of an endpoint that refuses visitors. @throws Error if the endpoint's declaration lets one in */
export function signedIn(actor: Actor): UserActor {
  if (actor.userId === null) throw new Error(`A ${actor.kind} without a user came to a verb that needs one`);
  return actor as UserActor;
}

/** Returns the calling frame of an endpoint for frames. @throws Error if the endpoint's declaration lets others in */
export function asFrame(actor: Actor): NonNullable<Actor['frame']> {
  if (!actor.frame) throw new Error(`A ${actor.kind} came to a verb of frames`);
  return actor.frame;
}
