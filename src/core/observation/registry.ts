/** Which entity of this process is which address of the cassette (cassette-contract 6.6). */

import { entityAddressKey, parentDiscriminator, parentOf, rootAddress, type EntityAddress } from '../checkpoint/address.ts';
import { isBlank, trim } from '../json/read.ts';

/** An entity by the ids of this process, which are never written. A blank session is the root. */
export type EntityRef =
  | { kind: 'session'; sessionId: string }
  | { kind: 'turn'; sessionId: string; turnId: string }
  | { kind: 'tool-call'; sessionId: string; turnId: string; callId: string }
  | { kind: 'interaction'; sessionId: string; turnId: string; interactionKind: string; requestId: string }
  | { kind: 'message'; sessionId: string; messageId: string }
  | { kind: 'attachment'; sessionId: string; messageId: string; ordinal: number }
  | { kind: 'goal'; sessionId: string };

export type InteractionQuestion = { sessionId: string; turnId: string; requestId: string; interactionKind?: string };

/** Bindings both ways; what is bound first stays, so that observations may come before the start of a recording has returned. */
export class EntityRegistry {
  #rootId = '';
  readonly #addresses = new Map<string, EntityAddress>();
  readonly #refs = new Map<string, EntityRef>();
  readonly #interactions = new Map<string, Set<string>>();

  /** Empty until a root is known. */
  get rootId(): string {
    return this.#rootId;
  }

  /** Whether this session is the root now. There is one root, and it does not change (6.6). */
  bindRoot(sessionId: string): boolean {
    const id = trim(sessionId);
    if (id === '' || id === this.#rootId) return true;
    if (this.#rootId !== '' || this.#addresses.has(this.#key({ kind: 'session', sessionId: id }))) return false;
    this.#rootId = id;
    return true;
  }

  /** The address that the entity has from now on, the earlier one where it had one; `null` where another has this one (6.6). */
  bind(ref: EntityRef, address: EntityAddress): EntityAddress | null {
    const known = this.lookup(ref);
    if (known) return known;
    const addressKey = entityAddressKey(address);
    if (address.origin.source === 'recording-root' || this.#refs.has(addressKey)) return null;
    const key = this.#key(ref);
    this.#addresses.set(key, address);
    this.#refs.set(addressKey, ref);
    if (ref.kind === 'interaction') this.#remember(ref, key);
    return address;
  }

  lookup(ref: EntityRef): EntityAddress | null {
    if (ref.kind === 'session' && this.sessionKey(ref.sessionId) === '') return rootAddress;
    return this.#addresses.get(this.#key(ref)) ?? null;
  }

  /** By its kind where that is known, else the only one of that request (6.6). */
  lookupInteraction({ sessionId, turnId, requestId, interactionKind = '' }: InteractionQuestion): EntityAddress | null {
    const exact = this.lookup({ kind: 'interaction', sessionId, turnId, interactionKind, requestId });
    if (exact || !isBlank(interactionKind)) return exact;
    const keys = [...(this.#interactions.get(this.#requestKey({ sessionId, turnId, requestId })) ?? [])];
    return keys.length === 1 ? (this.#addresses.get(keys[0] as string) ?? null) : null;
  }

  /**
   * The entity of an address, or `null` where none is bound yet. A goal of the activity lane is found through its session, since
   * the event that brought it has another sequence here (6.6).
   */
  refOf(address: EntityAddress): EntityRef | null {
    if (address.origin.source === 'recording-root') return this.#rootId === '' ? null : { kind: 'session', sessionId: this.#rootId };
    const bound = this.#refs.get(entityAddressKey(address));
    if (bound) return bound;
    const parent = address.origin.source === 'activity-event' ? parentOf(address) : null;
    const session = parent && this.refOf(parent);
    return session ? { kind: 'goal', sessionId: session.sessionId } : null;
  }

  /** Gives a session its goal; a later event does not move the origin. `null` where the session has no address (6.6, 6.7). */
  introduceGoal(sessionId: string, activityEventSequence: bigint): EntityAddress | null {
    const parent = this.lookup({ kind: 'session', sessionId });
    if (!parent) return null;
    return this.bind({ kind: 'goal', sessionId }, { kind: 'goal', origin: { source: 'activity-event', activityEventSequence }, discriminator: parentDiscriminator(parent) });
  }

  /** One text for a session: the root is the empty one, whether it is named or not (6.6). */
  sessionKey(sessionId: string): string {
    const id = trim(sessionId);
    return id === this.#rootId ? '' : id;
  }

  #remember(ref: Extract<EntityRef, { kind: 'interaction' }>, key: string): void {
    const requestKey = this.#requestKey(ref);
    this.#interactions.set(requestKey, (this.#interactions.get(requestKey) ?? new Set()).add(key));
  }

  #requestKey({ sessionId, turnId, requestId }: { sessionId: string; turnId: string; requestId: string }): string {
    return JSON.stringify([this.sessionKey(sessionId), trim(turnId), trim(requestId)]);
  }

  #key(ref: EntityRef): string {
    return JSON.stringify([ref.kind, this.sessionKey(ref.sessionId), ...scopeOf(ref)]);
  }
}

// The scope keeps equal ids of different sessions, turns and kinds apart.
function scopeOf(ref: EntityRef): (string | number)[] {
  switch (ref.kind) {
    case 'session':
    case 'goal':
      return [];
    case 'turn':
      return [trim(ref.turnId)];
    case 'tool-call':
      return [trim(ref.turnId), trim(ref.callId)];
    case 'interaction':
      return [trim(ref.turnId), trim(ref.interactionKind), trim(ref.requestId)];
    case 'message':
      return [trim(ref.messageId)];
    case 'attachment':
      return [trim(ref.messageId), ref.ordinal];
  }
}
